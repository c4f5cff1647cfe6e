"""The vectors of what people say for shipped functions, which the service compares prompts with."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from service_server.predict.known_requests import NOTHING, Requests, requests_of
from service_server.predict.reader.reader import Reader
from training.asking import asking_weights, askings_of
from training.calls import Call
from training.shipped import shipped_functions

# Of the 384 axes of a vector, the service keeps as many: with half of them the same function is nearest for 98 of 100.
_WIDTH = 192


def known_requests(calls: Iterable[Call], reader: Reader) -> Requests:
    """Return the calls' prompts for shipped functions and for what none of them does, and these functions' examples."""
    calls = list(calls)
    said = {name: dict.fromkeys(prompt for prompt, _ in own.examples) for name, own in shipped_functions().items()}
    said[NOTHING] = {}
    for call in calls:
        name = NOTHING if call.function is None else call.function["name"]
        if call.source == "everyday" and name in said:
            said[name][call.prompt] = None
    vectors = {name: reader.vectors(list(prompts)) for name, prompts in sorted(said.items())}
    together = np.concatenate(list(vectors.values()))
    _, axes = np.linalg.eigh(together.T @ together)
    axes = axes[:, ::-1][:, :_WIDTH].astype(np.float16)
    narrow = requests_of((name, own @ axes.astype(np.float32)) for name, own in vectors.items())
    of = {prompt: vector for name, own in vectors.items() for prompt, vector in zip(said[name], own, strict=True)}
    return Requests(
        functions=narrow.functions,
        counts=narrow.counts,
        vectors=narrow.vectors,
        axes=axes,
        asking=asking_weights(askings_of(calls), of),
    )


def save_requests(requests: Requests, file: Path) -> None:
    """Write them as `known_requests.shipped_requests` reads them."""
    if requests.axes is None or requests.asking is None:
        raise ValueError("shipped requests keep the axes of `known_requests`, and what tells whether a text asks")
    functions = np.array(requests.functions)
    np.savez(
        file,
        allow_pickle=False,
        functions=functions,
        counts=requests.counts,
        vectors=requests.vectors,
        axes=requests.axes,
        asking=requests.asking,
    )
