"""Starts the sandbox app: prints one line of JSON with its address when it listens, and serves until it is ended."""

import argparse
import asyncio
import json
import os
import secrets
import signal
import socket
from pathlib import Path

from examples.sandbox_app.application import Application
from examples.sandbox_app.controls import is_redirect_uri
from examples.sandbox_app.http_server import HttpServer
from examples.sandbox_app.settings import Settings
from examples.sandbox_app.users import USERS, seeded_key


def _redirect_uri(value: str) -> str:
    if not is_redirect_uri(value):
        raise argparse.ArgumentTypeError("must be an absolute http(s) URL without a fragment")
    return value


def _seconds(value: str) -> float:
    number = float(value)
    if not 0 < number < 10**9:
        raise argparse.ArgumentTypeError("must be more than 0 seconds")
    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m examples.sandbox_app", description="Serve the sandbox app Tickets."
    )
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0 (the default) takes a free one")
    parser.add_argument("--public-url", help="the address that browsers see, if it is not http://HOST:PORT")
    parser.add_argument("--client-id", default="integration-functions")
    parser.add_argument(
        "--client-secret",
        default=os.environ.get("SANDBOX_CLIENT_SECRET"),
        help="also as SANDBOX_CLIENT_SECRET; made up if not given",
    )
    parser.add_argument("--redirect-uri", type=_redirect_uri, action="append", default=[], dest="redirect_uris")
    parser.add_argument("--access-token-seconds", type=_seconds, default=300)
    parser.add_argument("--refresh-token-seconds", type=_seconds, default=30 * 24 * 3600)
    parser.add_argument("--opener-policy", choices=("unsafe-none", "same-origin"), default="unsafe-none")
    parser.add_argument("--grants-file", type=Path, help="keep here what users granted, across restarts")
    parser.add_argument("--print-keys", action="store_true", help="print the client secret and the demo API keys too")
    return parser


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


async def _serve(listener: socket.socket, settings: Settings, ready: dict[str, object]) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    print(json.dumps(ready), flush=True)
    await HttpServer(Application(settings).handle).run(listener, stop)


def main() -> None:
    """Run from the command line."""
    options = _parser().parse_args()
    listener = _listen(options.host, options.port)
    host = f"[{options.host}]" if ":" in options.host else options.host
    settings = Settings(
        url=options.public_url or f"http://{host}:{listener.getsockname()[1]}",
        client_id=options.client_id,
        client_secret=options.client_secret or secrets.token_urlsafe(24),
        redirect_uris=tuple(options.redirect_uris),
        access_token_seconds=options.access_token_seconds,
        refresh_token_seconds=options.refresh_token_seconds,
        opener_policy=options.opener_policy,
        grants_file=options.grants_file,
    )
    ready: dict[str, object] = {"url": settings.url, "client_id": settings.client_id}
    if options.print_keys or not options.client_secret:
        ready["client_secret"] = settings.client_secret
    if options.print_keys:
        ready["api_keys"] = {user.username: seeded_key(user) for user in USERS}
    asyncio.run(_serve(listener, settings, ready))


if __name__ == "__main__":
    main()
