"""What the tests of the prediction share: the installed model, without which they would test what nobody runs."""

import shutil
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from service_client.models import Function
from service_server.cli.options import kept_connectors
from service_server.predict.model import Model, ModelUnusable, installed_model
from service_server.predict.predictor import Predictor
from service_server.predict.reader.arguments import ReaderFiller
from service_server.predict.reader.reader import Reader
from service_server.predict.reading import read
from service_server.predict.values import ArgumentPrediction, FunctionPrediction
from service_server.prediction.prediction import predictor_of
from service_server.settings import default_model_directory
from tests.service_server.shipped import shipped_catalog

Fill = Callable[..., ArgumentPrediction]


@pytest.fixture(scope="session")
def model() -> Model:
    """The installed model; where there is none the test is left out, and under `CI=true` it fails."""
    try:
        return installed_model(default_model_directory())
    except ModelUnusable as unusable:
        pytest.skip(f"no model: {unusable}")


@pytest.fixture(scope="session")
def shipped_predictor(model: Model) -> Predictor:
    """The service's predictor with the installed model, over the shipped connectors."""
    return predictor_of(shipped_catalog(), model, kept_connectors())


@pytest.fixture(scope="session")
def installed_reader(model: Model) -> Reader:
    """The reader of the installed model."""
    return model.reader


@pytest.fixture(scope="session")
def fill(installed_reader: Reader) -> Fill:
    """Fill in a function's arguments from a prompt; `shapes` are those that values of its arguments have."""

    def filled(
        function: Function, prompt: str, now: datetime, shapes: Mapping[str, frozenset[str]] | None = None
    ) -> ArgumentPrediction:
        return ReaderFiller(function, installed_reader, shapes).fill(read(prompt, now), now)

    return filled


@pytest.fixture
def installed(tiny_installed: Path, tmp_path: Path) -> Path:
    """A directory with the tiny model, for one test alone."""
    return Path(shutil.copytree(tiny_installed, tmp_path / "model"))


def chosen(predictor: Predictor, prompt: str, **options: Any) -> FunctionPrediction | None:
    """Return the function that a prompt asks for, and what else it may mean; None when nothing fits."""
    ranking = predictor.rank_functions(prompt, **options)
    if not ranking.fits:
        return None
    best, *others = ranking.functions
    return FunctionPrediction(name=best.name, confidence=best.confidence, alternatives=tuple(others))


def chosen_name(predictor: Predictor, prompt: str, **options: Any) -> str | None:
    """Return the name of the function that a prompt asks for; None when nothing fits."""
    found = chosen(predictor, prompt, **options)
    return None if found is None else found.name
