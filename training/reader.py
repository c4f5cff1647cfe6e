"""The reader in PyTorch: answers the questions of a sheet from the encoder's states."""

from collections.abc import Sequence

import numpy as np
import torch
from attrs import frozen
from torch import nn
from torch.nn import functional

from service_server.predict.reader.questions import Answer
from service_server.predict.reader.sheets import MARKS, Sheet
from training.calls import Target
from training.encoder import WIDTH, Encoder

MATCH = 128  # width of the space in which questions meet words and options
_NOWHERE = -1e4
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
    length = max(len(sheet.ids) for sheet in sheets)
    ids = np.zeros((len(sheets), length), np.int64)
    segments, mask, words = np.zeros_like(ids), np.zeros_like(ids), np.zeros_like(ids)
    for row, sheet in enumerate(sheets):
        ids[row, : len(sheet.ids)] = sheet.ids
        segments[row, : len(sheet.ids)] = sheet.segments
        mask[row, : len(sheet.ids)] = 1
        words[row, sheet.prompt_start : sheet.prompt_start + len(sheet.pieces)] = 1
    return Batch(*(torch.from_numpy(each) for each in (ids, segments, mask, words)), sheets, targets)


class Reader(nn.Module):
    """The encoder with heads for words, options, truths, and whether a function fits at all."""

    def __init__(self, base: dict[str, np.ndarray]) -> None:
        super().__init__()
        self.encoder = Encoder(base, MARKS)
        with torch.no_grad():  # a mark begins as BERT's own "what stands here?"
            self.encoder.markers.copy_(self.encoder.words[_MASK] + torch.randn(MARKS, WIDTH) * 0.01)
        self.question = nn.Linear(WIDTH, 3 * MATCH)  # start, end, option
        self.word = nn.Linear(WIDTH, 2 * MATCH)
        self.option = nn.Linear(WIDTH, MATCH)
        self.alone = nn.Linear(WIDTH, 3)  # start, end, option: what a piece says whatever is asked
        self.nothing = nn.Linear(WIDTH, 3)  # start, end, option
        self.truth = nn.Linear(WIDTH, 3)  # absent, true, false
        self.fit = nn.Linear(WIDTH, 1)

    def states(self, batch: Batch) -> torch.Tensor:
        """Return the encoder's states [sheets, length, 384]."""
        with torch.autocast("cpu", dtype=torch.bfloat16):
            states = self.encoder(batch.ids, batch.segments, batch.mask)
        return states.float()

    def fits(self, batch: Batch) -> torch.Tensor:
        """Return for each sheet how well its function fits its prompt."""
        return self.fit(self.states(batch)[:, 0])[:, 0]

    def vectors(self, batch: Batch) -> torch.Tensor:
        """Return a vector of length one for each sheet: the mean of its pieces' states."""
        mask = batch.mask[..., None].float()
        return functional.normalize((self.states(batch) * mask).sum(1) / mask.sum(1), dim=-1)

    def loss(self, batch: Batch) -> tuple[torch.Tensor, int]:
        """Return the summed loss over the known questions of a batch and how many these are."""
        states = self.states(batch)
        rows, marks, questions, targets = [], [], [], []
        for row, sheet in enumerate(batch.sheets):
            for at, question in enumerate(sheet.questions):
                if batch.targets[row][at].known:
                    rows.append(row)
                    marks.append((at, sheet.marks[at]))
                    questions.append(question)
                    targets.append(batch.targets[row][at])
        if not rows:
            return states.sum() * 0, 0
        marked = states[rows, [place for _, place in marks]]
        asked = self.question(marked).view(-1, 3, MATCH)
        nothing = self.nothing(marked)
        words = self.word(states).view(*states.shape[:2], 2, MATCH)
        alone = self.alone(states)
        starts = (words[rows, :, 0] @ asked[:, 0, :, None])[..., 0] * MATCH**-0.5 + alone[rows, :, 0]
        ends = (words[rows, :, 1] @ asked[:, 1, :, None])[..., 0] * MATCH**-0.5 + alone[rows, :, 1]
        outside = batch.words[rows] == 0
        starts, ends = starts.masked_fill(outside, _NOWHERE), ends.masked_fill(outside, _NOWHERE)
        truths = self.truth(marked)
        options = self.option(states)
        total = states.new_zeros(())
        single, single_at, single_targets = [], [], []
        for number, (question, target) in enumerate(zip(questions, targets, strict=True)):
            sheet = batch.sheets[rows[number]]
            at = marks[number][0]
            spans = piece_spans(sheet, target)
            if question.answer is Answer.BOOLEAN:
                wanted = 0 if target.truth is None else 1 if target.truth else 2
                total = total + functional.cross_entropy(truths[number], torch.tensor(wanted))
            elif question.options:
                places = sheet.option_marks[at]
                if places:
                    scores = (options[rows[number], list(places)] @ asked[number, 2]) * MATCH**-0.5
                    scores = scores + alone[rows[number], list(places), 2]
                    total = total + _option_loss(scores, nothing[number, 2], sheet.offered[at], target, question.answer)
            if question.answer is Answer.LIST or question.answer is Answer.OPTIONS:
                if target.options and not spans:
                    continue
                inside = batch.words[rows[number]] == 1
                for scores, null, ends_of in ((starts, 0, 0), (ends, 1, 1)):
                    wanted_at = torch.zeros(len(inside))
                    for span in spans:
                        wanted_at[span[ends_of]] = 1
                    difference = scores[number] - nothing[number, null]
                    each = functional.binary_cross_entropy_with_logits(difference, wanted_at, reduction="none")
                    total = total + each[inside].sum() / max(1, len(spans)) * 0.5
            elif spans or not (target.options or target.truth is not None):
                if target.spans and not spans:
                    continue  # the words lie behind the end of the sheet
                single.append(number)
                single_targets.append(spans[0] if spans else None)
        if single:
            for scores, null, ends_of in ((starts, 0, 0), (ends, 1, 1)):
                rows_of = torch.cat([scores[single], nothing[single, null : null + 1]], dim=1)
                last = rows_of.shape[1] - 1
                wanted_at = torch.tensor([last if span is None else span[ends_of] for span in single_targets])
                total = total + functional.cross_entropy(rows_of, wanted_at, reduction="sum") * 0.5
        return total, len(rows)


def _option_loss(
    scores: torch.Tensor, nothing: torch.Tensor, offered: Sequence[int], target: Target, answer: Answer
) -> torch.Tensor:
    if answer is Answer.OPTIONS:
        wanted = torch.tensor([float(at in target.options) for at in offered])
        return functional.binary_cross_entropy_with_logits(scores - nothing, wanted, reduction="mean") * 2
    place = offered.index(target.options[0]) if target.options and target.options[0] in offered else len(offered)
    return functional.cross_entropy(torch.cat([scores, nothing[None]]), torch.tensor(place))


def piece_spans(sheet: Sheet, target: Target) -> list[tuple[int, int]]:
    """Return the places in the sheet of the first and last piece of each span."""
    found = []
    for start, end in target.spans:
        inside = [at for at, piece in enumerate(sheet.pieces) if piece.end > start and piece.start < end]
        if inside:
            found.append((sheet.prompt_start + inside[0], sheet.prompt_start + inside[-1]))
    return found
