"""What is changed, part by part, and the tests that should notice."""

from collections.abc import Mapping

from attrs import field, frozen

MARKS = ("-m", "not postgresql and not browser and not real_apps")
"""What pytest is told to leave out."""
_SERVER = "tests/service_server"
_CALLS = f"{_SERVER}/calls"


@frozen
class Part:
    """
    Some files, and the tests that should notice what is changed in them.

    `tests`, as arguments of pytest, run in one process with the changed code. `served` are tests of a service as a
    process of its own, by the name of the changed module: they take seconds, and are asked only about changes that no
    test of the others noticed.
    """

    changed: tuple[str, ...]
    tests: tuple[str, ...]
    served: Mapping[str, tuple[str, ...]] = field(factory=dict)


def _modules(folder: str, names: str) -> tuple[str, ...]:
    return tuple(f"service_server/{folder}/{name}.py" for name in names.split())


def _tests(folder: str, names: str) -> tuple[str, ...]:
    return tuple(f"{_SERVER}/{folder}/test_{name}.py" for name in names.split())


_STEPS = (
    *_tests(
        "calls",
        """before_sending checked_arguments choosing_an_account durable_rows endings executed_for_good
        forms keys_end look_ups next_page redaction refused_credentials repeats requests_in_order run_again
        told_calls""",
    ),
    *_tests("onward", "files_from_the_web"),
    *(
        f"{_SERVER}/webhooks/test_call_events.py::test_a_call_{each}"
        for each in ("is_told_with_its_row", "that_is_written_late_is_told_once")
    ),
)
_CALLING = (f"{_CALLS}/test_calling.py",)

PARTS = {
    "vault": Part(
        ("service_server/vault/*.py",),
        _tests("vault", "vault_keys sealing following_the_key_file opening_the_vault rotation"),
    ),
    "cursors": Part(
        (*_modules("rest", "cursors admin/paging"), *_modules("invoke", "next_page")),
        (*_tests("rest", "cursors"), *_tests("rest/admin", "paging"), *_tests("calls", "next_page")),
    ),
    "acceptance": Part(
        _modules("predict", "acceptance confidence fitness mood"),
        (
            *_tests("predict", "acceptance asked_by_sense confidence fitness function_prediction mood"),
            *("-k", "not model"),  # it takes long, and what it computes with does not outlive a fork
        ),
    ),
    "calls_checked": Part(
        _modules(
            "invoke",
            """build_request check_arguments check_scopes choose_account form_values given_secrets redaction
            take_files""",
        ),
        _STEPS,
        {
            "build_request": (*_CALLING, *_tests("calls", "scopes")),
            "check_arguments": _CALLING,
            "check_scopes": _tests("calls", "scopes"),
            "choose_account": (*_CALLING, *_tests("calls", "scopes")),
            "form_values": _CALLING,
            "redaction": _CALLING,
            "take_files": _tests("calls", "files_in_calls"),
        },
    ),
    "calls_sent": Part(
        _modules(
            "invoke",
            """account_tests endings idempotency invocation invoker keep_budget kept_answer looked_up record
            refused_credentials replay send send_in_order shape steps""",
        ),
        _STEPS,
        {
            "endings": _tests("calls", "database_away"),
            "idempotency": _CALLING,
            "invoker": _CALLING,
            "keep_budget": _tests("calls", "budget"),
            "record": (*_CALLING, *_tests("calls", "files_in_calls")),
            "replay": _tests("console", "console_calls"),
            "send": (*_CALLING, *_tests("calls", "files_in_calls hostile_answers")),
            "shape": (*_CALLING, *_tests("calls", "hostile_answers")),
            "steps": (*_CALLING, *_tests("calls", "budget files_in_calls")),
        },
    ),
}
