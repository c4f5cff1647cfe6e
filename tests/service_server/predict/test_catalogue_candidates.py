"""The candidates of the shipped catalogue, which prediction takes from the files' texts."""

from datetime import UTC, datetime

import pytest
from attrs import evolve

from service_server.predict.app_names import AppNames
from service_server.predict.predictor import Predictor
from service_server.predict.profiles import profile_of, weights_of
from service_server.predict.reading import read
from service_server.prediction.prediction import candidates
from tests.service_server.shipped import shipped_catalog

pytestmark = pytest.mark.slow


def test_texts_say_what_compiled_functions_say() -> None:
    """What the ranking knows of a function is the same by its file as by its public form."""
    catalog = shipped_catalog()
    by_files = {candidate.function.name: candidate for candidate in candidates(catalog)}

    assert set(catalog.names()) == set(by_files)
    for name, candidate in by_files.items():
        function = catalog.function(name)
        assert function is not None
        title = catalog.connectors[function.app_name].title
        compiled = evolve(candidate, function=function.public("", title, include_meta=True), examples=function.examples)
        assert weights_of(compiled) == weights_of(candidate)
        assert profile_of(compiled) == profile_of(candidate)
        assert (function.title, title) == (candidate.title, candidate.app_title)


def test_arguments_are_of_the_function_as_it_is_called(shipped_predictor: Predictor) -> None:
    """The predictor of a catalogue fills in the parameters of the compiled function."""
    found = shipped_predictor.predict_arguments(
        "sandbox-create-ticket", 'Create a ticket "Broken hinge" in the sandbox'
    )

    assert {"title": "Broken hinge"} == found.arguments


def test_every_app_is_known_by_what_it_is_also_called() -> None:
    """Each name that a shipped connector says people have for the app names this app, and no other."""
    names = {
        candidate.app_name: (candidate.app_title, *candidate.app_also_called)
        for candidate in candidates(shipped_catalog())
    }
    apps = AppNames(names)

    for app, called in names.items():
        for name in called:
            prompt = f"look it up in {name} for me"
            assert {app} == apps.named_in(read(prompt, datetime(2026, 11, 28, tzinfo=UTC))).apps, prompt
