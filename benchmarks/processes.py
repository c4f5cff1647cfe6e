"""Starts and stops what a benchmark runs against: nginx, proxies, the service, each on a free port of loopback."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType


class MissingTool(Exception):
    """A program that the benchmark needs isn't installed."""


def find_tool(name: str, package: str) -> str:
    """Find a program, in `/usr/sbin` too, or raise MissingTool saying what to install."""
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    if found is None:
        raise MissingTool(f"{name} is not installed; on Debian: apt install {package}")
    return found


@contextlib.contextmanager
def running(
    command: Sequence[str],
    port: int,
    *,
    log: Path,
    patience_seconds: float = 60,
    env: Mapping[str, str] = MappingProxyType({}),
) -> "Iterator[subprocess.Popen[bytes]]":
    """
    Run a server while the block lasts; enter it once the port accepts connections. Its output goes to `log`.

    Gives the process. `env` is added to the environment.
    """
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, start_new_session=True, env={**os.environ, **env}
        )
    try:
        _wait_for_port(process, port, log, time.monotonic() + patience_seconds)
        yield process
    finally:
        _stop(process)


def _wait_for_port(process: "subprocess.Popen[bytes]", port: int, log: Path, deadline: float) -> None:
    while True:
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"{process.args!r} did not start:\n{log.read_text(errors='replace')[-2000:]}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.05)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    # The whole group, since a supervisor's workers must not outlive it.
    for chosen in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, chosen)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=5)


_NGINX = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log stderr error; {user}
events {{ worker_connections 1024; }}
http {{
    access_log off; default_type application/json; keepalive_requests 100000000;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    {content}
}}
"""


@contextlib.contextmanager
def nginx(content: str, port: int, folder: Path) -> Iterator[None]:
    """Run nginx with one worker and the given `http` content, with all its files in `folder`."""
    folder.mkdir()
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(_NGINX.format(folder=folder, user=user, content=content))
    command = [find_tool("nginx", "nginx-light"), "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", "stderr"]
    with running(command, port, log=folder / "output.log"):
        yield


def upstream_content(port: int, body: str) -> str:
    """Content for `nginx`: a server that gives every request the same JSON at once (`body` without single quotes)."""
    return f"server {{ listen 127.0.0.1:{port} backlog=1024; location / {{ return 200 '{body}'; }} }}"


def reverse_proxy_content(port: int, upstream_port: int) -> str:
    """Content for `nginx`: a reverse proxy that adds a header and keeps its connections to the upstream."""
    return f"""
    upstream app {{ server 127.0.0.1:{upstream_port}; keepalive 64; keepalive_requests 100000000; }}
    server {{
        listen 127.0.0.1:{port} backlog=1024;
        location / {{
            proxy_pass http://app; proxy_http_version 1.1; proxy_set_header Connection "";
            proxy_set_header Authorization "Bearer benchmark";
        }}
    }}"""
