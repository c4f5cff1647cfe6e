"""
What is asked of mutmut in the copy beyond its commands: to make the changes alone, and to show many of them at once.

    python -m tests.mutants.changing make
    python -m tests.mutants.changing show MUTANT...
"""

import contextlib
import json
import sys
from importlib import import_module
from typing import Any


def main() -> None:
    """Make the changes and print their names, or print what each of these changes, as JSON."""
    mutmut: Any = import_module("mutmut.__main__")
    if sys.argv[1] == "show":
        data = {name: each for each in _all_data(mutmut) for name in each.exit_code_by_key}
        shown = {name: mutmut.get_diff_for_mutant(name, path=data[name].path) for name in sys.argv[2:]}
        print(json.dumps(shown))
        return
    with contextlib.redirect_stdout(sys.stderr):
        mutmut.set_mutant_under_test("mutant_generation")
        mutmut.copy_src_dir()
        mutmut.copy_also_copy_files()
        mutmut.setup_source_paths()
        mutmut.create_mutants(1)
    print(json.dumps([name for each in _all_data(mutmut) for name in each.exit_code_by_key]))


def _all_data(mutmut: Any) -> list[Any]:
    found = [mutmut.SourceFileMutationData(path=path) for path in sorted(mutmut.walk_mutatable_files())]
    for each in found:
        each.load()
    return found


if __name__ == "__main__":
    main()
