"""The functions that the reader in its present state most easily mistakes for the one that a prompt asks for."""

from collections.abc import Iterator, Sequence
from typing import Any

import torch

from service_server.predict.reader.questions import heading_of
from service_server.predict.reader.sheets import Sheet, SheetLayout
from training.calls import Call
from training.examples import LONGEST_PROMPT, SHIPPED_KINDS
from training.function_vectors import learnt_vectors
from training.reader import Reader, batch_of
from training.shipped import ShippedFunction, shipped_functions

# If no app is named, a function of another app serves as well if it is this similar to the one that was meant.
SERVES_AS_WELL = 0.55
_RIVALS, _RIVALS_OF_APP = 8, 3
_PIECES_AT_ONCE = 8000
_FAR = -1e4


class Rivals:
    """
    All shipped functions, and which of them the reader so far takes for others; renewed now and then.

    `vectors` [functions + 1, 384] are those that find the functions, the last one what none of them does. They are
    trained with the reader.
    """

    def __init__(self, calls: Sequence[Call], layout: SheetLayout, reader: Reader) -> None:
        shipped = shipped_functions()
        self._functions: list[ShippedFunction] = list(shipped.values())
        self._places = {name: at for at, name in enumerate(shipped)}
        headings = [heading_of(each.function["name"], each.function["description"]) for each in self._functions]
        apps = [each.app for each in self._functions]
        self._same_app = torch.tensor([[one == other for other in apps] for one in apps])
        self._calls = [call for call in calls if self.place(call) is not None or call.source == "everyday"]
        self._prompts = [layout.text(call.prompt[:LONGEST_PROMPT]) for call in self._calls]
        self._named = {call.prompt: self._names_app(call) for call in self._calls}
        self._nearest: dict[str, list[dict[str, Any]]] = {}
        with torch.no_grad():
            of_headings = _vectors(reader, [layout.text(each) for each in headings])
            prompts = _vectors(reader, self._prompts)
        self._alike = (of_headings @ of_headings.T >= SERVES_AS_WELL).cpu()
        wanted = [self.place_or_nothing(call) for call in self._calls]
        self.vectors = torch.nn.Parameter(learnt_vectors(prompts, wanted, of_headings))
        self._compare(prompts)

    def place_or_nothing(self, call: Call) -> int:
        """Return the place of the function that a call asks for; that behind all of them where none serves."""
        place = self.place(call)
        return len(self._functions) if place is None else place

    def place(self, call: Call) -> int | None:
        """Return the place of the function that a call asks for; None if it is not a shipped one."""
        if call.source not in SHIPPED_KINDS or call.function is None:
            return None
        return self._places.get(call.function["name"])

    def renew(self, reader: Reader) -> None:
        """Compare all functions and prompts with the reader in its present state."""
        with torch.no_grad():
            self._compare(_vectors(reader, self._prompts))

    def _compare(self, prompts: torch.Tensor) -> None:
        with torch.no_grad():
            scores = (prompts @ self.vectors[:-1].T).cpu()  # many small steps follow, for which a GPU is slow
        for at, call in enumerate(self._calls):
            place = self.place(call)
            if place is None:
                allowed = torch.zeros(len(self._functions), dtype=torch.bool)
                allowed[[self._places[each["name"]] for each in call.others if each["name"] in self._places]] = True
            else:
                allowed = self.wrong_for(call, place)
                of_app = allowed & self._same_app[place]
                if self._named[call.prompt] and of_app.sum() >= _RIVALS_OF_APP:  # then no others are considered
                    allowed = of_app
            own = scores[at].masked_fill(~allowed, _FAR)
            found = own.topk(min(_RIVALS, int(allowed.sum()))).indices.tolist()
            self._nearest[call.prompt] = [self._functions[each].function for each in found]

    def wrong_for(self, call: Call, place: int) -> torch.Tensor:
        """Return, for each function, whether it is surely not what a call asks for."""
        if self._named.get(call.prompt, True):
            wrong = torch.ones(len(self._functions), dtype=torch.bool)
        else:
            wrong = self._same_app[place] | ~self._alike[place]
        wrong[place] = False
        return wrong

    def of(self, call: Call) -> list[dict[str, Any]]:
        """Return the functions most like a call's own that it doesn't ask for, likest first; none if unknown."""
        return self._nearest.get(call.prompt, [])

    def _names_app(self, call: Call) -> bool:
        place = self.place(call)
        return place is not None and self._functions[place].app_title.casefold() in call.prompt.casefold()


def _vectors(reader: Reader, sheets: Sequence[Sheet]) -> torch.Tensor:
    """Return the vectors of sheets, read in batches of similar length."""
    order = sorted(range(len(sheets)), key=lambda at: len(sheets[at].ids))
    reader.eval()
    found = torch.zeros(len(sheets), 384, device=reader.device)
    for places in _portions(order, sheets):
        own = [sheets[at] for at in places]
        found[places] = reader.vectors(batch_of(own, [()] * len(own)))
    reader.train()
    return found


def _portions(order: Sequence[int], sheets: Sequence[Sheet]) -> Iterator[list[int]]:
    portion: list[int] = []
    for at in order:
        if portion and (len(portion) + 1) * len(sheets[at].ids) > _PIECES_AT_ONCE:
            yield portion
            portion = []
        portion.append(at)
    if portion:
        yield portion
