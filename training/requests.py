"""The vectors by which the service finds shipped functions, learnt from what people say for them."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import torch

from service_server.predict.known_requests import NOTHING, Requests, requests_of
from service_server.predict.reader.questions import heading_of
from service_server.predict.reader.reader import Reader
from training.asking import asking_weights, askings_of
from training.calls import Call
from training.function_vectors import learnt_vectors
from training.shipped import shipped_functions


def known_requests(calls: Iterable[Call], reader: Reader) -> Requests:
    """
    Return what the calls' prompts, and the examples and titles of connectors, teach of shipped functions.

    What none of these functions does is a further one, `NOTHING`.
    """
    calls = list(calls)
    shipped = shipped_functions()
    places = {name: at for at, name in enumerate((*shipped, NOTHING))}
    wanted = [(prompt, places[name]) for name, own in shipped.items() for prompt, _ in own.examples]
    # People also begin with the thing alone: "new ticket".
    for name, own in shipped.items():
        wanted += [(own.title, places[name]), (f"{own.title} in {own.app_title}", places[name])]
    for call in calls:
        name = NOTHING if call.function is None else call.asked["name"]
        if call.source == "everyday" and name in places:
            wanted.append((call.prompt, places[name]))
    prompts = list(dict.fromkeys(prompt for prompt, _ in wanted))
    vectors = dict(zip(prompts, reader.vectors(prompts), strict=True))
    headings = [heading_of(name, each.function["description"]) for name, each in shipped.items()]
    of_headings = torch.from_numpy(reader.vectors(headings))
    said = torch.from_numpy(np.stack([vectors[prompt] for prompt, _ in wanted]))
    learnt = learnt_vectors(said, [place for _, place in wanted], of_headings).numpy()
    asking = asking_weights(askings_of(calls), vectors)
    return requests_of(zip(places, learnt, strict=True), asking)


def save_requests(requests: Requests, file: Path) -> None:
    """Write them as `known_requests.shipped_requests` reads them."""
    if requests.asking is None:
        raise ValueError("shipped requests keep what tells whether a text asks")
    functions = np.array(requests.functions)
    np.savez(
        file,
        allow_pickle=False,
        functions=functions,
        vectors=requests.vectors,
        scales=requests.scales,
        asking=requests.asking,
    )
