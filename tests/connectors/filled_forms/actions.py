"""The twenty commonest actions, each in a file of `actions/`: what a person does in its form, and what must arrive."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from attrs import field, frozen

from tests.connectors.filled_forms.recorder import Answers
from tests.emulators.pointed import PREFIX


@frozen(kw_only=True)
class Action:
    """
    An action: the form's button, the steps that fill it, and the request that comes of it.

    `answers` are those of the app (see `Recorder`), `steps` name a function of `steps.py`, a field and what is done
    with it; what can't be undone `confirms` it. `body` is what stands in the body that was sent where `reads`
    (JMESPath) says.
    """

    app: str
    function: str
    button: str
    answers: Answers
    steps: Sequence[Mapping[str, Mapping[str, Any]]]
    request: str
    body: Any
    reads: str = "@"
    confirms: bool = False
    query: Mapping[str, str] = field(factory=dict)

    @property
    def name(self) -> str:
        """The function's full name, as the copy of its connector has it."""
        return f"{PREFIX}{self.app}-{self.function}"


ACTIONS = [
    Action(app=file.stem, **yaml.safe_load(file.read_text("utf-8")))
    for file in sorted(Path(__file__).with_name("actions").glob("*.yaml"))
]
