"""Run the encoder."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

_BEHIND_THE_END = -1e4

States = NDArray[np.float32]


class EncoderSession:
    """One encoder in memory; it may be used from several threads."""

    def __init__(self, file: Path) -> None:
        options = onnxruntime.SessionOptions()
        # A prompt is too little work for several cores, and memory kept for the next one would be wasted.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])

    def states(self, sequences: Sequence[Sequence[int]], segments: Sequence[Sequence[int]]) -> States:
        """Return the states [sequences, longest, 384] of sequences of pieces; those beyond an end mean nothing."""
        longest = max(map(len, sequences))
        ids = np.zeros((len(sequences), longest), np.int64)
        kinds = np.zeros_like(ids)
        mask = np.full((len(sequences), 1, 1, longest), _BEHIND_THE_END, np.float32)
        for row, (sequence, segment) in enumerate(zip(sequences, segments, strict=True)):
            ids[row, : len(sequence)] = sequence
            kinds[row, : len(sequence)] = segment
            mask[row, 0, 0, : len(sequence)] = 0.0
        states: States = self._session.run(None, {"ids": ids, "segments": kinds, "mask": mask})[0]
        return states
