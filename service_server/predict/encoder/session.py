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
        # A prompt is too little work for several cores. The runtime keeps the few megabytes that a sheet needs: giving
        # them back each time leaves holes, and the process grows by 80 more.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            file,
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=["SkipLayerNormFusion"],  # the sum and the norm apart take a quarter of its time
        )

    def states(self, ids: Sequence[int], segments: Sequence[int], wanted: Sequence[int]) -> States:
        """Return the states [wanted, 384] of the pieces of a sequence that stand at some places."""
        given = {"ids": [ids], "segments": [segments], "wanted": wanted}
        inputs = {name: np.array(value, np.int64) for name, value in given.items()}
        states: States = self._session.run(None, inputs)[0][0]
        return states
