"""
What a prediction costs on one core over 7,000 functions: time, memory, and the start.

`./dev bench predict_cost --data DIR [--functions 7000]`; DIR holds the suites, whose functions and prompts it takes.
Each subject runs in a process of its own that is bound to one core: the prediction by words alone, and with the model.
It prints medians beside the goals; a goal that is missed makes the status 1. Memory is the process's peak.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

SUITES = ("saas", "bfcl", "seal", "toolalpaca", "metatool")
PROMPTS = 60  # of each suite
GOALS = {"selection_ms": 10, "with_arguments_ms": 25, "added_mb": 120, "cold_start_s": 0.2}
_SUBJECTS = ("words", "model")


def main(options: argparse.Namespace) -> int:
    """Measure both subjects and print them; 0 if every goal is met."""
    figures = {}
    for subject in _SUBJECTS:
        command = [sys.executable, "-m", "benchmarks.predict_cost", "--data", str(options.data), "--subject", subject]
        command += ["--functions", str(options.functions)]
        figures[subject] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        print(f"{subject}: " + ", ".join(f"{name} {value:g}" for name, value in figures[subject].items()), flush=True)
    model, words = figures["model"], figures["words"]
    model["added_mb"] = round(model["memory_mb"] - words["memory_mb"])
    met = all(model[name] <= goal for name, goal in GOALS.items())
    print(", ".join(f"{name} {model[name]:g} ({model[name] / goal:.2f} of the goal)" for name, goal in GOALS.items()))
    print(json.dumps({"name": "predict_cost", "figures": figures, "goals": GOALS, "met": met}))
    return 0 if met else 1


def measure(options: argparse.Namespace) -> dict[str, float]:
    """Return what one subject costs in this process."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    from service_server.cli.prediction import read_catalogue
    from service_server.predict.known_answers import shipped_answers
    from service_server.predict.known_requests import shipped_requests
    from service_server.predict.model import installed_model
    from service_server.predict.predictor import Predictor
    from service_server.settings import default_model_directory

    candidates = [each for suite in SUITES for each in read_catalogue(options.data / "dev" / suite / "catalogue.jsonl")]
    by_name = {candidate.function.name: candidate for candidate in candidates}
    functions = copies(list(by_name.values()), options.functions)
    prompts = [prompt for suite in SUITES for prompt in prompts_of(options.data / "dev" / suite)]
    begun = time.perf_counter()
    reader = installed_model(default_model_directory()).reader if options.subject == "model" else None
    few = Predictor(functions[:5], reader=reader)
    few.rank_functions(prompts[0])
    cold_start = time.perf_counter() - begun
    begun = time.perf_counter()
    requests, answers = (shipped_requests(), shipped_answers()) if reader else (None, None)
    predictor = Predictor(functions, reader=reader, requests=requests, answers=answers)
    index = time.perf_counter() - begun
    for prompt in prompts[:5]:
        predictor.rank_functions(prompt)
    selections = timed(predictor.rank_functions, prompts)

    def with_arguments(prompt: str) -> None:
        now = datetime.now(UTC)  # one for both, as in the service
        ranking = predictor.rank_functions(prompt, now=now)
        if ranking.fits:
            predictor.predict_arguments(ranking.functions[0].name, prompt, now=now)

    both = timed(with_arguments, prompts)
    return {
        "functions": len(functions),
        "selection_ms": round(statistics.median(selections), 1),
        "selection_p95_ms": round(statistics.quantiles(selections, n=20)[-1], 1),
        "with_arguments_ms": round(statistics.median(both), 1),
        "with_arguments_p95_ms": round(statistics.quantiles(both, n=20)[-1], 1),
        "cold_start_s": round(cold_start, 2),
        "index_s": round(index, 1),
        "memory_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }


def copies(candidates: list[Any], count: int) -> list[Any]:
    """Return so many candidates: all of them, and those of them again under another name until there are enough."""
    from attrs import evolve

    found = candidates[:count]
    for at in range(count - len(found)):
        original = candidates[at % len(candidates)]
        name = f"{original.function.name}-copy-{at // len(candidates) + 1}"
        found.append(evolve(original, function=evolve(original.function, name=name)))
    return found


def prompts_of(suite: Path) -> list[str]:
    """Return the first prompts of a suite."""
    lines = (suite / "cases.jsonl").read_text("utf-8").splitlines()[:PROMPTS]
    return [json.loads(line)["prompt"] for line in lines]


def timed(work: Callable[[str], object], prompts: list[str]) -> list[float]:
    """Return how many milliseconds each prompt takes."""
    found = []
    for prompt in prompts:
        begun = time.perf_counter()
        work(prompt)
        found.append((time.perf_counter() - begun) * 1000)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with the suites in dev/")
    parser.add_argument("--functions", type=int, default=7000)
    parser.add_argument("--subject", choices=_SUBJECTS, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.subject:
        print(json.dumps(measure(chosen)))
        sys.exit(0)
    sys.exit(main(chosen))
