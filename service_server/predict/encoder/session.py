"""Run the encoder."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

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

    def states(self, ids: Sequence[int], segments: Sequence[int]) -> States:
        """Return the states [length, 384] of a sequence of pieces."""
        pieces, kinds = np.array([ids], np.int64), np.array([segments], np.int64)
        mask = np.zeros((1, 1, 1, len(ids)), np.float32)
        states: States = self._session.run(None, {"ids": pieces, "segments": kinds, "mask": mask})[0][0]
        return states
