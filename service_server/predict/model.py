"""The installed model, ready to answer."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from service_server.predict.encoder.manifest import (
    ENCODER,
    HEADS,
    VOCABULARY,
    ModelUnusable,
    checked_model,
    what_to_run,
)
from service_server.predict.encoder.recipe import SHIPPED, Recipe
from service_server.predict.encoder.wordpiece import WordPieces

if TYPE_CHECKING:
    from service_server.predict.reader.reader import Reader

__all__ = ["Model", "ModelUnusable", "installed_model"]


@frozen
class Model:
    """A reader, and an `id` that changes whenever its vectors would; caches of vectors are stored under it."""

    reader: "Reader"
    id: str


def installed_model(directory: Path, recipe: Recipe = SHIPPED) -> Model:
    """
    Load the model of a directory; takes some tenths of a second and 30 MB, plus 25 MB that processes share.

    Raises:
        ModelUnusable: nothing is installed, or it belongs to another version, is damaged or cannot be run here.
    """
    installed = checked_model(directory, recipe)
    try:
        from service_server.predict.encoder.session import EncoderSession
        from service_server.predict.reader.answers import Heads as AnswerHeads
        from service_server.predict.reader.reader import Reader
    except ImportError as error:  # there may be no build of it for this machine
        raise ModelUnusable(f"{error.name} cannot be loaded; install integration-functions-service again.") from None
    try:
        session = EncoderSession(installed.file(ENCODER))
        words = WordPieces(installed.file(VOCABULARY).read_text("utf-8").removesuffix("\n").split("\n"))
        with np.load(installed.file(HEADS), allow_pickle=False) as heads:
            answers = AnswerHeads({name: heads[name] for name in heads.files})
        reader = Reader(session, words, answers)
    except Exception as error:  # the runtime has exceptions of its own, without a common base
        raise ModelUnusable(
            f"The model in {directory} cannot be run here ({type(error).__name__}). {what_to_run(directory)}"
        ) from None
    return Model(reader, installed.manifest.id)
