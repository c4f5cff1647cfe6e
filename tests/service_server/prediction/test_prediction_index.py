"""When the index for prediction is made: once, when it is first asked for, and again for another catalogue."""

import asyncio
from pathlib import Path
from typing import Any, Literal

import pytest

from service_server.catalog.catalog import Catalog
from service_server.catalog.load import load_catalog
from service_server.predict.model import Model
from service_server.predict.predictor import Predictor
from service_server.prediction import prediction as prediction_module
from service_server.prediction.prediction import Prediction, predictor_of
from tests.service_server.catalog.connector_folder import ConnectorFolder

PROMPT = "find things in acme"


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    """A catalogue of one app."""
    ConnectorFolder().write(tmp_path)
    return load_catalog([tmp_path])


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Predictor]:
    """The predictors that were made."""
    found: list[Predictor] = []

    def noted(catalog: Catalog, model: Model | None, cache_directory: Path | None) -> Predictor:
        found.append(predictor_of(catalog, model, cache_directory))
        return found[-1]

    monkeypatch.setattr(prediction_module, "predictor_of", noted)
    return found


async def test_all_who_ask_at_once_get_the_same_index(catalog: Catalog, made: list[Predictor]) -> None:
    """Nothing is made before anyone asks, and then once for all."""
    prediction = Prediction(catalog)
    assert [] == made
    predictors = await asyncio.gather(*(prediction.predictor() for _ in range(5)))

    assert 1 == len(made)
    assert {id(made[0])} == {id(predictor) for predictor in (*predictors, await prediction.predictor())}


async def test_an_index_of_a_former_catalogue_is_given_to_nobody(catalog: Catalog, made: list[Predictor]) -> None:
    """Who waits for an index while the catalogue is replaced gets one of the new catalogue."""
    prediction = Prediction(catalog)
    waiting = asyncio.create_task(prediction.predictor())
    await asyncio.sleep(0)
    prediction.forget()
    predictor = await waiting

    assert predictor is made[-1] is await prediction.predictor()


async def test_a_failure_is_not_kept(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index that could not be made is tried again by the next one who asks."""
    monkeypatch.setattr(prediction_module, "predictor_of", lambda *_: 1 / 0)
    prediction = Prediction(catalog)
    with pytest.raises(ZeroDivisionError):
        await prediction.predictor()
    monkeypatch.undo()

    assert isinstance(await prediction.predictor(), Predictor)


async def test_one_who_stops_waiting_disturbs_no_other(catalog: Catalog, made: list[Predictor]) -> None:
    """A request that is given up while the index is made leaves it to the others."""
    prediction = Prediction(catalog)
    first, second = (asyncio.create_task(prediction.predictor()) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()

    assert await second is made[0]
    assert 1 == len(made)


@pytest.mark.parametrize("at", ["rank_functions", "predict_arguments"])
async def test_a_function_that_goes_while_it_is_predicted(
    catalog: Catalog,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    at: Literal["rank_functions", "predict_arguments"],
) -> None:
    """What went with the former catalogue is not predicted, and fails nobody's request."""
    (empty := tmp_path / "empty").mkdir()
    prediction, replaced = Prediction(catalog), load_catalog([empty])
    predict = getattr(Predictor, at)

    def meanwhile(self: Predictor, *given: Any, **more: Any) -> Any:
        monkeypatch.undo()
        catalog.replace(replaced)
        prediction.forget()
        return predict(self, *given, **more)

    assert await prediction.function(PROMPT, with_arguments=True) is not None
    monkeypatch.setattr(Predictor, at, meanwhile)

    assert await prediction.function(PROMPT, with_arguments=True) is None
