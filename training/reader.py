"""The reader in PyTorch: answers the questions of a sheet from the encoder's states."""

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from attrs import frozen
from torch import nn
from torch.nn import functional

from service_server.predict.reader.questions import Answer, Question
from service_server.predict.reader.sheets import MARKS, Sheet
from training.alignment import Target
from training.encoder import WIDTH, Encoder

MATCH = 128  # width of the space in which questions meet words and options
_NOWHERE = -1e4
# PyTorch prepares and keeps kernels for every new shape, so few shapes are faster and need less memory.
_LENGTH_STEP, _ROWS_STEP = 16, 8
_MASK = 103


@frozen
class Batch:
    """Sheets as tensors [sheets, length], and for each question its place and its right answer."""

    ids: torch.Tensor
    segments: torch.Tensor
    mask: torch.Tensor
    words: torch.Tensor
    sheets: Sequence[Sheet]
    targets: Sequence[Sequence[Target]]


def batch_of(sheets: Sequence[Sheet], targets: Sequence[Sequence[Target]]) -> Batch:
    """Return sheets as one batch; `words` [sheets, length] tells which pieces are the prompt's."""
    length = _rounded(max(len(sheet.ids) for sheet in sheets), _LENGTH_STEP)
    ids = np.zeros((_rounded(len(sheets), _ROWS_STEP), length), np.int64)
    segments, mask, words = np.zeros_like(ids), np.zeros_like(ids), np.zeros_like(ids)
    mask[:, 0] = 1  # rows that only fill up also get a piece, so that no mean is over nothing
    for row, sheet in enumerate(sheets):
        ids[row, : len(sheet.ids)] = sheet.ids
        segments[row, : len(sheet.ids)] = sheet.segments
        mask[row, : len(sheet.ids)] = 1
        words[row, sheet.prompt_start : sheet.prompt_start + len(sheet.pieces)] = 1
    tensors = [torch.from_numpy(each) for each in (ids, segments, mask, words)]
    return Batch(tensors[0], tensors[1], tensors[2], tensors[3], sheets, targets)


def rows_for(length: int, pieces: int) -> int:
    """Return how many sheets of a length fill a batch of about that many pieces without empty rows."""
    return max(1, round(pieces / _rounded(length, _LENGTH_STEP) / _ROWS_STEP)) * _ROWS_STEP


def _rounded(number: int, step: int) -> int:
    return -(-number // step) * step


class Reader(nn.Module):
    """The encoder with heads for words, options, truths, and whether a function fits at all."""

    def __init__(self, base: Mapping[str, np.ndarray]) -> None:
        super().__init__()
        self.encoder = Encoder(base, MARKS)
        with torch.no_grad():  # a mark begins as BERT's own "what stands here?"
            marks = self.encoder.words[_MASK] + torch.randn(MARKS, WIDTH) * 0.01
            self.encoder.markers.copy_(marks)
        self.question = nn.Linear(WIDTH, 3 * MATCH)  # start, end, option
        self.word = nn.Linear(WIDTH, 2 * MATCH)
        self.option = nn.Linear(WIDTH, MATCH)
        self.alone = nn.Linear(WIDTH, 3)  # start, end, option: a piece's scores whatever is asked
        self.nothing = nn.Linear(WIDTH, 3)  # start, end, option
        self.truth = nn.Linear(WIDTH, 3)  # absent, true, false
        self.fit = nn.Linear(WIDTH, 1)

    @property
    def device(self) -> torch.device:
        """The processor or graphics card that it is on."""
        return self.fit.weight.device

    @property
    def _halves(self) -> bool:
        """Whether figures of half the bits are faster there; processors without instructions for them take minutes."""
        return self.device.type != "cpu" or torch.backends.cpu.get_cpu_capability() not in ("DEFAULT", "AVX2")

    def states(self, batch: Batch) -> torch.Tensor:
        """Return the encoder's states [sheets, length, 384]."""
        ids, segments, mask = (each.to(self.device) for each in (batch.ids, batch.segments, batch.mask))
        with torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self._halves):
            states = self.encoder(ids, segments, mask)
        return states.float()

    def fits(self, batch: Batch) -> torch.Tensor:
        """Return for each sheet how well its function fits its prompt."""
        return self.fit(self.states(batch)[: len(batch.sheets), 0])[:, 0]

    def vectors(self, batch: Batch) -> torch.Tensor:
        """Return a vector of length one for each sheet: the mean of its pieces' states."""
        mask = batch.mask.to(self.device)[..., None].float()
        means = (self.states(batch) * mask).sum(1) / mask.sum(1)
        return functional.normalize(means[: len(batch.sheets)], dim=-1)

    def loss(self, batch: Batch) -> tuple[torch.Tensor, int]:
        """Return the summed loss over the known questions of a batch, and how many there are."""
        states = self.states(batch)
        asked = [
            _Asked(row, at, sheet.questions[at], target)
            for row, sheet in enumerate(batch.sheets)
            for at, target in enumerate(batch.targets[row])
            if target.known
        ]
        if not asked:
            return states.sum() * 0, 0
        rows = [each.row for each in asked]
        marked = states[rows, [batch.sheets[each.row].marks[each.at] for each in asked]]
        questions = self.question(marked).view(-1, 3, MATCH)
        nothing = self.nothing(marked)
        words = self.word(states).view(*states.shape[:2], 2, MATCH)
        alone = self.alone(states)
        inside = batch.words.to(self.device) == 1
        outside = ~inside[rows]
        edges = [
            (
                (words[rows, :, edge] @ questions[:, edge, :, None])[..., 0] * MATCH**-0.5 + alone[rows, :, edge]
            ).masked_fill(outside, _NOWHERE)
            for edge in (0, 1)
        ]
        truths, options = self.truth(marked), self.option(states)
        total = states.new_zeros(())
        single: list[tuple[int, tuple[int, int] | None]] = []
        for number, each in enumerate(asked):
            sheet, target, question = batch.sheets[each.row], each.target, each.question
            if question.answer is Answer.BOOLEAN:
                wanted = 0 if target.truth is None else 1 if target.truth else 2
                total = total + functional.cross_entropy(truths[number], torch.tensor(wanted, device=self.device))
            elif question.options and (places := list(sheet.option_marks[each.at])):
                scores = options[each.row, places] @ questions[number, 2] * MATCH**-0.5 + alone[each.row, places, 2]
                offered = sheet.offered[each.at]
                total = total + _option_loss(scores, nothing[number, 2], offered, target, question.answer)
            spans = piece_spans(sheet, target)
            if not spans and (target.spans or target.options or target.truth is not None):
                continue  # nobody marked the words, or they lie beyond the end of the sheet
            if question.answer in (Answer.LIST, Answer.OPTIONS):
                own = inside[each.row]
                for edge in (0, 1):
                    scores = (edges[edge][number] - nothing[number, edge])[own]
                    total = total + _several_loss(scores, own, [span[edge] for span in spans])
            else:
                single.append((number, spans[0] if spans else None))
        for edge in (0, 1):
            total = total + _single_loss(edges[edge], nothing[:, edge], [(n, s and s[edge]) for n, s in single])
        return total, len(asked)


@frozen
class _Asked:
    """A question whose answer is known: the row of its sheet, its place on it, and the answer."""

    row: int
    at: int
    question: Question
    target: Target


def _single_loss(scores: torch.Tensor, nothing: torch.Tensor, wanted: Sequence[tuple[int, int | None]]) -> torch.Tensor:
    """Return half the cross entropy of one edge of the words, or of there being no words, for some questions."""
    if not wanted:
        return scores.new_zeros(())
    numbers = [number for number, _ in wanted]
    with_nothing = torch.cat([scores[numbers], nothing[numbers, None]], dim=1)
    last = with_nothing.shape[1] - 1
    places = torch.tensor([last if place is None else place for _, place in wanted], device=scores.device)
    return functional.cross_entropy(with_nothing, places, reduction="sum") * 0.5


def _several_loss(scores: torch.Tensor, inside: torch.Tensor, places: Sequence[int]) -> torch.Tensor:
    """Return half the cross entropy of whether each piece of the prompt is an edge of an item."""
    wanted = torch.zeros(len(inside), device=scores.device)
    wanted[list(places)] = 1
    each = functional.binary_cross_entropy_with_logits(scores, wanted[inside], reduction="sum")
    return each / max(1, len(places)) * 0.5


def _option_loss(
    scores: torch.Tensor, nothing: torch.Tensor, offered: Sequence[int], target: Target, answer: Answer
) -> torch.Tensor:
    if answer is Answer.OPTIONS:
        wanted = torch.tensor([float(at in target.options) for at in offered], device=scores.device)
        return functional.binary_cross_entropy_with_logits(scores - nothing, wanted, reduction="mean") * 2
    place = offered.index(target.options[0]) if target.options and target.options[0] in offered else len(offered)
    return functional.cross_entropy(torch.cat([scores, nothing[None]]), torch.tensor(place, device=scores.device))


def piece_spans(sheet: Sheet, target: Target) -> list[tuple[int, int]]:
    """Return the places in the sheet of the first and last piece of each span."""
    found = []
    for start, end in target.spans:
        inside = [at for at, piece in enumerate(sheet.pieces) if piece.end > start and piece.start < end]
        if inside:
            found.append((sheet.prompt_start + inside[0], sheet.prompt_start + inside[-1]))
    return found
