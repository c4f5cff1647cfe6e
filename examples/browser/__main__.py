"""Starts the demo host page: prints one line of JSON with its address when it listens, and serves until it is ended."""

import argparse
import json
import os
import signal
from threading import Thread

from examples.browser.backend import Host, create_server, serve


def _web_address(value: str) -> str:
    if not value.startswith(("http://", "https://")) or any(mark in value for mark in " ;,'\"<>"):
        raise argparse.ArgumentTypeError("must be an http(s) address")
    return value.rstrip("/")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m examples.browser", description="Serve the demo host page.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0 (the default) takes a free one")
    parser.add_argument("--public-url", type=_web_address, help="the address that browsers see")
    parser.add_argument("--service-url", type=_web_address, required=True)
    parser.add_argument("--app-key", required=True)
    parser.add_argument("--secret", default=os.environ.get("DEMO_APP_SECRET"), help="better as DEMO_APP_SECRET")
    parser.add_argument("--user-id", default="demo-user")
    options = parser.parse_args()
    if not options.secret:
        parser.error("the application's secret is missing: set DEMO_APP_SECRET or give --secret")
    return options


def main() -> None:
    """Run from the command line."""
    options = _options()
    server = create_server((options.host, options.port))
    url = options.public_url or f"http://{options.host}:{server.server_address[1]}"
    host = Host(url, options.service_url, options.app_key, options.secret, options.user_id)
    signals = {signal.SIGINT, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)  # before the thread starts, which inherits it
    serving = Thread(target=serve, args=(server, host))
    serving.start()
    print(json.dumps({"url": url}), flush=True)
    signal.sigwait(signals)
    server.shutdown()
    serving.join()
    server.server_close()


if __name__ == "__main__":
    main()
