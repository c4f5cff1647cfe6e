"""Which prompts are learnt as asking for something to be done."""

import numpy as np

from training.asking import Askings, asking_weights, askings_of
from training.calls import Call
from training.shipped import shipped_functions


def everyday(prompt: str, name: str | None) -> Call:
    """A prompt for a shipped function, or for none of them."""
    function = None if name is None else shipped_functions()[name].function
    return Call(source="everyday", prompt=prompt, function=function)


def test_prompts_are_told_apart_by_form_and_function() -> None:
    """What only reads teaches nothing, nor do requests that nothing serves, nor functions that aren't shipped."""
    calls = [
        everyday("tell #ops we are back up", "slack-send-message"),
        everyday("nobody told #ops that we are back up", "slack-send-message"),
        everyday("who is in our workspace", "slack-list-users"),
        everyday("paint the office", None),
        everyday("Rosa wrote to #ops about it", None),
        everyday("how do I write to a channel", None),
        Call(source="corpus", prompt="Ana ordered paper", function=None),
    ]

    assert Askings(
        plain=["tell #ops we are back up"],
        others=["nobody told #ops that we are back up"],
        none=["Rosa wrote to #ops about it", "how do I write to a channel"],
    ) == askings_of(calls)


def test_the_weights_tell_requests_from_what_is_none() -> None:
    """By the direction in which their vectors differ; few of one kind count as much as many of another."""
    random = np.random.default_rng(1)
    prompts = {
        f"{kind} {at}": kind for kind, count in (("plain", 60), ("other", 9), ("none", 20)) for at in range(count)
    }
    vectors = {}
    for prompt, kind in prompts.items():
        vector = random.normal(0, 0.3, 8) + np.eye(8)[0] * (-1 if kind == "none" else 1)
        vectors[prompt] = (vector / np.linalg.norm(vector)).astype(np.float32)
    of = {kind: [prompt for prompt in prompts if prompts[prompt] == kind] for kind in ("plain", "other", "none")}

    weights = asking_weights(Askings(of["plain"], [*of["other"], "without a vector"], of["none"]), vectors)

    scores = {prompt: vector @ weights[:-1] + weights[-1] for prompt, vector in vectors.items()}
    assert all((scores[prompt] > 0) == (kind != "none") for prompt, kind in prompts.items())
    assert (9,) == weights.shape
