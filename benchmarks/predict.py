"""
How well the service predicts: each suite's scores beside the goals, and what a prediction costs (`predict_cost`).

It runs `service-server predict` as anybody could, with the program that comes with the suites (`predeval.py`), over the
cases that training never saw, and prints published figures of language models beside ours.
`./dev bench predict --data DIR [--suites bfcl saas …] [--without-model] [--perturbed] [--latency]`; DIR holds
`predeval.py` and `dev/`, and `train/`, which tells the cases that were trained on.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from training.calls import data_calls, for_training

SUITES = ("bfcl", "saas", "everyday", "seal", "toolalpaca", "metatool")
SHIPPED_FUNCTIONS = "everyday"  # its prompts are for the shipped connectors, which the service knows without a file
GOALS: dict[str, dict[str, float]] = {
    "multiple": {"name_accuracy": 99, "whole_call": 78},
    "live_multiple": {"name_accuracy": 95, "whole_call": 64},
    "simple_python": {"whole_call": 78},
    "live_simple": {"whole_call": 66},
    "saas": {"name_accuracy_answerable": 90, "recall_at_5": 98, "kept": 95, "rejected": 80},
    "macro6": {"macro6": 75},
    "everyday-named": {"name_accuracy": 92, "whole_call": 75},
    "everyday-unnamed": {"name_accuracy": 86, "whole_call": 68},
    "everyday-paraphrase": {"name_accuracy": 62},
    "everyday-destructive": {"name_accuracy": 90},
    "everyday-none": {"rejected": 90},
}
# Whole calls over the same six categories, as the leaderboard had them on 2026-04-12 (all cases, not a part).
PUBLISHED = {
    "Granite-4.0-350m": 65.5,
    "Hammer2.1-0.5b": 72.8,
    "Qwen3-0.6B": 75.3,
    "GPT-5.2": 80.3,
    "Claude Sonnet 4.5": 89.2,
}
SHOWN = (
    *("name_accuracy", "name_accuracy_answerable", "kept", "rejected", "recall_at_5", "auc", "whole_call"),
    *("whole_call_given_name", "parameter", "macro6", "p50_ms", "p95_ms"),
)


def main(options: argparse.Namespace) -> int:
    """Measure the suites; 0 if every goal is met."""
    seen = trained_on(options.data)
    met = True
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for suite in options.suites:
            source = options.data / "dev" / suite
            unseen = Path(folder) / suite
            unseen.mkdir()
            count = copy_unseen(source, unseen, seen)
            if options.perturbed:
                source, unseen = unseen, Path(folder) / f"{suite}-perturbed"
                run([*predeval(options), "perturb", "--in", str(source), "--out", str(unseen), "--seed", "1"])
            print(f"{suite}: {count} cases that training never saw", file=sys.stderr)
            for line in scores(options, unseen):
                figures[line["suite"]] = line
                met = show(line) and met
    print("published macro6: " + ", ".join(f"{name} {score}" for name, score in PUBLISHED.items()), flush=True)
    if not (options.without_model or options.perturbed):
        costs = [sys.executable, "-m", "benchmarks.predict_cost", "--data", str(options.data)]
        costs += ["--functions", str(options.functions)]
        met = subprocess.run(costs, check=False).returncode == 0 and met
    print(json.dumps({"name": "predict", "figures": figures, "goals": GOALS, "met": met}))
    return 0 if met else 1


def trained_on(data: Path) -> set[str]:
    """Return the cases that training saw."""
    return {call.dev_case for call in data_calls(data / "train") if call.dev_case and for_training(call)}


def copy_unseen(source: Path, target: Path, seen: set[str]) -> int:
    """Copy a suite without the cases that were trained on; how many remain."""
    for name in ("catalogue.jsonl", "names.jsonl"):
        if (source / name).exists():
            (target / name).write_text((source / name).read_text("utf-8"))
    count = 0
    for name in ("cases.jsonl", "gold.jsonl"):
        lines = (source / name).read_text("utf-8").splitlines()
        kept = [line for line in lines if json.loads(line)["id"] not in seen]
        (target / name).write_text("".join(f"{line}\n" for line in kept))
        count = len(kept)
    return count


def scores(options: argparse.Namespace, suite: Path) -> list[dict[str, Any]]:
    """Run the command over a suite and return what `predeval.py` says of it, a line for each part."""
    command = [str(Path(sys.executable).parent / "service-server"), "predict", "--arguments"]
    if not suite.name.startswith(SHIPPED_FUNCTIONS):
        command += ["--catalogue", str(suite / "catalogue.jsonl")]
    command += ["--without-model"] if options.without_model else []
    out, cases = suite / "out.jsonl", suite / "cases.jsonl"
    lockstep = ["--lockstep"] if options.latency else []
    run(
        [*predeval(options), "run", "--cases", str(cases), "--out", str(out), *lockstep, "--command", " ".join(command)]
    )
    gold = ["--gold", str(suite / "gold.jsonl"), "--out", str(out), "--cases", str(cases)]
    return [json.loads(line) for line in run([*predeval(options), "score", *gold]).splitlines()]


def show(line: dict[str, Any]) -> bool:
    """Print a part's figures with their intervals and goals; whether the goals are met."""
    goals = GOALS.get(line["suite"], {})
    cells = []
    for name in SHOWN:
        if name not in line or line[name] is None:
            continue
        low, high = line.get(f"{name}_95") or (None, None)
        interval = f" [{low:.0f}–{high:.0f}]" if low is not None and high is not None and name != "auc" else ""
        goal = f" (goal {goals[name]:g})" if name in goals else ""
        cells.append(f"{name} {line[name]:.3g}{interval}{goal}")
    print(f"{line['suite']} ({line.get('n', '')}): " + ", ".join(cells), flush=True)
    return all(line.get(name, 0) >= goal for name, goal in goals.items())


def predeval(options: argparse.Namespace) -> list[str]:
    """Return how the suites' own program is started."""
    return [sys.executable, str(options.data / "predeval.py")]


def run(command: list[str]) -> str:
    """Run a command and return what it prints; its errors are shown."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with predeval.py, dev/ and train/")
    parser.add_argument("--suites", nargs="+", default=SUITES, choices=SUITES)
    parser.add_argument("--without-model", action="store_true", help="the rules alone, as where no model is installed")
    parser.add_argument(
        "--perturbed", action="store_true", help="with other values and names, to see what was learnt by heart"
    )
    parser.add_argument("--functions", type=int, default=7000, help="of the catalogue that costs are measured over")
    parser.add_argument("--latency", action="store_true", help="one case at a time, timed from outside")
    sys.exit(main(parser.parse_args()))
