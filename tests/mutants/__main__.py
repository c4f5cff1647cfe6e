"""
How many faults put into the code on purpose the tests notice.

    ./dev exec python -m tests.mutants PART [--minutes N] [--keep FOLDER]

mutmut changes one thing at a time (a comparison, a number, an argument) in a copy of the tree; it is installed for this
alone, into .cache. Then the tests of that part run on each change. The parts are in parts.py. With
`--minutes N` changes are tried for so long: they come in an order drawn at random of all files of the part, so that
what was tried stands for the rest. The changes that nobody noticed are printed, and then a line of JSON.
"""

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.mutants.copied import Copied, only_words
from tests.mutants.parts import PARTS

_NOTICED = ("killed", "timeout")


def main() -> int:
    """Run a part, and tell what came of its mutants; 0 if nine in ten that matter were noticed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--minutes", type=float, default=float("inf"), metavar="N", help="try changes for so long")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where the copy is made and left")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutants-") as temporary:
        copied = Copied.of_the_tree(options.keep or Path(temporary), PARTS[options.part])
        made = copied.make()
        random.Random(0).shuffle(made)
        states = copied.run(made, options.minutes)
        missed = {name for name, state in states.items() if state not in _NOTICED}
        shown = copied.shown(sorted(missed))
        words = {name for name in missed if only_words(shown[name])}
        served = copied.run_served(sorted(missed - words))
        states |= {name: state for name, state in served.items() if state in _NOTICED}
    counts = Counter(states[name] for name in states.keys() - words)
    missed = {name for name in states.keys() - words if states[name] not in _NOTICED}
    for name in sorted(missed):
        print(f"{name}: {states[name]}{shown[name]}")
    noticed = sum(counts[each] for each in _NOTICED)
    share = noticed / max(1, noticed + len(missed))
    figures = {"part": options.part, "made": len(made), "tried": len(states), "noticed": noticed}
    figures |= {"of_these_served": sum(state in _NOTICED for state in served.values()), "only_words": len(words)}
    figures |= {"missed": len(missed), "share": round(share, 3)}
    print(json.dumps({"name": "mutants", "figures": figures, "goals": {"share": 0.9}, "met": share >= 0.9}))
    return 0 if share >= 0.9 else 1


if __name__ == "__main__":
    sys.exit(main())
