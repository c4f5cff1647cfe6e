"""The vectors of what people say for shipped functions, which the service compares prompts with."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from service_server.predict.known_requests import Requests, requests_of
from service_server.predict.reader.reader import Reader
from training.calls import Call
from training.shipped import shipped_functions


def known_requests(calls: Iterable[Call], reader: Reader) -> Requests:
    """Return the calls' prompts for shipped functions, and these functions' examples."""
    said = {name: dict.fromkeys(prompt for prompt, _ in own.examples) for name, own in shipped_functions().items()}
    for call in calls:
        if call.source == "everyday" and call.function is not None and call.function["name"] in said:
            said[call.function["name"]][call.prompt] = None
    return requests_of((name, reader.vectors(list(prompts))) for name, prompts in sorted(said.items()))


def save_requests(requests: Requests, file: Path) -> None:
    """Write them as `known_requests.shipped_requests` reads them."""
    functions = np.array(requests.functions)
    np.savez(file, allow_pickle=False, functions=functions, counts=requests.counts, vectors=requests.vectors)
