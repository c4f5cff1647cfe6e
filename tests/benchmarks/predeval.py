"""
The least of a program that runs and scores suites, by its calls: the one that measures for real comes with the suites.

    predeval.py run --cases FILE --out FILE --command COMMAND
    predeval.py score --gold FILE --out FILE --cases FILE
"""

import argparse
import json
import subprocess
from pathlib import Path
from typing import Any


def main() -> None:
    """Answer as the program does whose place this takes."""
    parser = argparse.ArgumentParser()
    parser.add_argument("act", choices=["run", "score"])
    for name in ("--cases", "--out", "--gold"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--command")
    options = parser.parse_args()
    if options.act == "run":
        with options.cases.open("rb") as cases, options.out.open("wb") as answers:
            subprocess.run(options.command.split(), stdin=cases, stdout=answers, check=True)
        return
    answered = {line["id"]: line["functions"] for line in lines(options.out)}
    gold = lines(options.gold)
    right = sum([each["name"] for each in answered[line["id"]]] == line["functions"] for line in gold)
    share = 100 * right / len(gold)
    print(json.dumps({"suite": gold[0]["suite"], "n": len(gold), "name_accuracy": share, "whole_call": share}))


def lines(file: Path) -> list[dict[str, Any]]:
    """Read JSON lines."""
    return [json.loads(line) for line in file.read_text().splitlines()]


if __name__ == "__main__":
    main()
