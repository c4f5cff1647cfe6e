"""`python -m servicejs.bundle [--force] [--release]`: build the SDK's bundle if anything it is made of changed."""

import argparse
import json
import sys
import time

from servicejs.bundle.build import DEVELOPMENT_QUALITY, DIST, RELEASE_QUALITY, build

FETCHED = ("servicejs.", "worker.", "runtime.", "python.", "snapshot.")


def main() -> int:
    """Build, report the progress, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m servicejs.bundle", description=__doc__)
    parser.add_argument("--force", action="store_true", help="build even if nothing changed")
    parser.add_argument("--release", action="store_true", help="compress as well as can be, which takes a minute more")
    options = parser.parse_args()
    quality = RELEASE_QUALITY if options.release else DEVELOPMENT_QUALITY
    started = time.monotonic()
    try:
        built = build(options.force, lambda step: print(f"{step} …", flush=True), quality)
    except RuntimeError as error:
        print(f"The bundle could not be built: {error}", file=sys.stderr)
        return 1
    if not built:
        print("The bundle is up to date.")
        return 0
    files = json.loads((DIST / "manifest.json").read_text())["files"]
    sent = sum(
        entry["bytes"]
        for name, entry in files.items()
        if name.startswith(FETCHED) and name.endswith(".br") and not name.endswith((".ts.br", ".zip.br"))
    )
    print(f"Built in {time.monotonic() - started:.1f} s; a browser fetches {sent / 1e6:.2f} MB once to be ready.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
