"""
`./dev release`: make every file of a release in dist/release/VERSION, for whatever publishes it.

The version stands in service_client/__init__.py alone. Nothing is published from here: a push of the tag `vVERSION` has
.github/workflows/release.yml run this and publish what it made.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

from releasing.artefacts import ROOT, NotMade, make_release
from releasing.changelog import NoSection, notes_for_a_trial, notes_of
from service_client import __version__
from servicejs.bundle.build import DEVELOPMENT_QUALITY, RELEASE_QUALITY


class NotReady(Exception):
    """What is there is not what would be released; says why."""


def main() -> int:
    """Make a release, and return the exit status."""
    parser = argparse.ArgumentParser(prog="./dev release", description=__doc__)
    parser.add_argument("--tag", help="the tag that was pushed; it has to be that of the version")
    parser.add_argument(
        "--dry-run", action="store_true", help="before a tag: of the tree as it is, with what is unreleased"
    )
    parser.add_argument("--quickly", action="store_true", help="don't compress the browser bundle as well as can be")
    parser.add_argument("--out", type=Path, default=ROOT / "dist" / "release" / __version__, help="an own folder")
    options = parser.parse_args()
    try:
        notes = notes_to_tell((ROOT / "CHANGELOG.md").read_text(), options.tag, options.dry_run)
        if not options.dry_run:
            check_tree()
        out: Path = options.out.resolve()
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        quality = DEVELOPMENT_QUALITY if options.quickly else RELEASE_QUALITY
        make_release(out, __version__, notes, quality, lambda step: print(f"{step} …", flush=True))
    except (NotReady, NoSection, NotMade, RuntimeError) as error:
        print(f"No release was made. {error}", file=sys.stderr)
        return 1
    print(out)
    return 0


def notes_to_tell(changelog: str, tag: str | None, dry_run: bool) -> str:
    """The notes of this version; raises `NotReady` or `NoSection` where tag, version and changelog differ."""
    if dry_run:
        return notes_for_a_trial(changelog, __version__)
    if tag is None:
        raise NotReady("Name the tag (--tag), or try it with --dry-run.")
    if tag != f"v{__version__}":
        raise NotReady(f"The tag is {tag}, and service_client/__init__.py says {__version__}.")
    return notes_of(changelog, __version__)


def check_tree() -> None:
    """Raise `NotReady` where the working tree is not the commit's."""
    changed = subprocess.run(
        ["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    if changed:
        raise NotReady(f"These files are not as they were committed: {', '.join(each[3:] for each in changed[:10])}")


if __name__ == "__main__":
    sys.exit(main())
