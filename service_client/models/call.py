"""The result of an executed function call."""

from typing import Any

from attrs import frozen


@frozen
class Fact:
    """One thing to know about an outcome; `value` is a text, a number, true or false, or a list of those."""

    title: str
    value: Any


@frozen(kw_only=True)
class Outcome:
    """
    The outcome of a successful call, in words for people: "Ticket 12 created".

    `link` is an https address that shows it, or None; `facts` are few, in the order to show them. The texts are in the
    connector's language and contain values from the app's answer, which are not HTML.
    """

    title: str
    link: str | None = None
    facts: tuple[Fact, ...] = ()


@frozen(kw_only=True)
class CallResult:
    """
    What the third-party app answered.

    `network_code` is the onward HTTP status as text; a call counts as executed whatever it says. `next_page` is None
    for functions that do not paginate and empty on the last page. `outcome` is set if `include=outcome` was asked for,
    the app answered with a 2xx and the function says what to show of that. It is never set for an answer that was kept
    for an Idempotency-Key.
    """

    network_code: str
    output: Any = None
    next_page: str | None = None
    outcome: Outcome | None = None

    @property
    def succeeded(self) -> bool:
        """Whether the third-party app answered with a 2xx status."""
        return self.network_code.startswith("2")

    def _repr_html_(self) -> str:
        from service_client.models.notebook import result_html  # only notebooks need it

        return result_html(self)
