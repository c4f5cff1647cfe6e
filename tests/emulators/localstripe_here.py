"""Runs localstripe on a port of 127.0.0.1 (the argument); its own command listens on every interface."""

import sys

from aiohttp import web
from localstripe.server import app

if __name__ == "__main__":
    web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=None)
