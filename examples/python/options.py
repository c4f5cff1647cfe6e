"""Where the service is and as whom to call it: from the command line, or from the file that the demo writes."""

import argparse
import json
from pathlib import Path

from attrs import fields, frozen


@frozen
class Options:
    """An application's key and secret at a service, and the user on whose behalf it calls."""

    base_url: str
    app_key: str
    app_secret: str
    user_id: str


def read_options(description: str) -> Options:
    """Read the command line; ends the program with a message when something is missing."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--demo-file", type=Path, metavar="DATA_DIR/demo.json", help="take everything from the demo")
    parser.add_argument("--base-url", help="the service's address")
    parser.add_argument("--app-key")
    parser.add_argument("--app-secret")
    parser.add_argument("--user-id")
    given = vars(parser.parse_args())
    demo_file = given.pop("demo_file")
    try:
        values = json.loads(demo_file.read_text()) if demo_file else {}
    except (OSError, ValueError) as error:
        parser.error(f"{demo_file} cannot be read: {error}. Is the demo running?")
    values |= {name: value for name, value in given.items() if value}
    names = [field.name for field in fields(Options)]
    missing = ["--" + name.replace("_", "-") for name in names if not values.get(name)]
    if missing:
        parser.error(f"give {', '.join(missing)}, or --demo-file")
    return Options(**{name: values[name] for name in names})
