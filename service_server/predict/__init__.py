"""
Predict a function, and its arguments, from a prompt in natural language.

Everything here is pure: no I/O, and no state beyond an index over the catalogue. There are two exceptions: `model`
reads files, and the modules behind `encoder.install` fetch and write them. The stages are separate (rank, decide, fill,
validate), so that each can be replaced by a better one without touching the others. `predictor` puts them together.
Importing it takes a third of a second, so modules that only handle the results of a prediction import `values`.
"""

import os

# A prompt is too little work for several cores: where others are busy, numpy's threads wait for each other a thousand
# times longer than one takes alone. It reads this when it is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
