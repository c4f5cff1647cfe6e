"""
The least a Python service can do for a call: take the body, add a header, pass both on, give the answer back.

Run as `python -m benchmarks.bare_proxy SERVER CLIENT PORT UPSTREAM`. It measures the floor under the whole service, and
which ASGI server and which HTTP client make it lowest.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine
from importlib.util import find_spec
from typing import Any

Forward = Callable[[bytes], Awaitable[tuple[int, bytes]]]
HEADERS = {"authorization": "Bearer benchmark", "content-type": "application/json"}


def forward_with_pyreqwest(upstream: str) -> Forward:
    """Pass calls on with pyreqwest."""
    from pyreqwest.client import ClientBuilder

    client = ClientBuilder().no_proxy().build()

    async def forward(body: bytes) -> tuple[int, bytes]:
        response = await client.post(upstream).headers(HEADERS).body_bytes(body).build().send()
        return response.status, bytes(await response.bytes())

    return forward


def forward_with_aiohttp(upstream: str) -> Forward:
    """Pass calls on with aiohttp."""
    import aiohttp

    session = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))

    async def forward(body: bytes) -> tuple[int, bytes]:
        async with session.post(upstream, data=body, headers=HEADERS) as response:
            return response.status, await response.read()

    return forward


def forward_with_httpx(upstream: str) -> Forward:
    """Pass calls on with httpx."""
    import httpx

    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    client = httpx.AsyncClient(limits=limits, trust_env=False)

    async def forward(body: bytes) -> tuple[int, bytes]:
        response = await client.post(upstream, content=body, headers=HEADERS)
        return response.status_code, response.content

    return forward


def forward_with_sender(upstream: str) -> Forward:
    """Pass calls on with the service's own sender: pyreqwest behind the checks of hosts, addresses and sizes."""
    from service_server.onward.sender import Sender
    from service_server.onward.settings import OnwardSettings
    from service_server.onward.target import parse_target
    from service_server.onward.values import HostRules, OnwardRequest

    target = parse_target(upstream)
    host = f"{target.host}:{target.port}"
    sender, rules = Sender(OnwardSettings(allow_hosts=(host,))), HostRules((host,))

    async def forward(body: bytes) -> tuple[int, bytes]:
        response = await sender.fetch(OnwardRequest("POST", upstream, tuple(HEADERS.items()), body), rules)
        return response.status, response.body

    return forward


# What each client and server needs beside the standard library, so that a missing one is skipped by name.
CLIENTS: dict[str, tuple[Callable[[str], Forward], tuple[str, ...]]] = {
    "pyreqwest": (forward_with_pyreqwest, ("pyreqwest",)),
    "aiohttp": (forward_with_aiohttp, ("aiohttp",)),
    "httpx": (forward_with_httpx, ("httpx",)),
    "sender": (forward_with_sender, ("pyreqwest", "attrs", "structlog", "aiodns")),
}
SERVERS: dict[str, tuple[str, ...]] = {
    "granian_embedded": ("granian",),
    "granian_embedded_uvloop": ("granian", "uvloop"),
    "granian_worker": ("granian",),
    "granian_worker_uvloop": ("granian", "uvloop"),
    "uvicorn": ("uvicorn", "h11"),
    "uvicorn_uvloop": ("uvicorn", "uvloop", "httptools"),
}


def missing_libraries(server: str, client: str) -> list[str]:
    """Name the libraries that this interpreter lacks for a server and a client."""
    return [name for name in (*SERVERS[server], *CLIENTS[client][1]) if find_spec(name) is None]


class Proxy:
    """The ASGI application, bare of any framework."""

    def __init__(self, client: str, upstream: str) -> None:
        self._make_forward = CLIENTS[client][0]
        self._upstream = upstream
        self._forward: Forward | None = None

    async def __call__(self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Any) -> None:
        """Serve one ASGI connection."""
        if scope["type"] == "lifespan":
            return
        if self._forward is None:
            self._forward = self._make_forward(self._upstream)
        body, more = b"", True
        while more:
            message = await receive()
            body, more = body + message.get("body", b""), message.get("more_body", False)
        status, answer = await self._forward(body)
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(answer)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": answer})


def app_of_worker() -> Proxy:
    """Make the application inside a granian worker, which is another process."""
    return Proxy(os.environ["BARE_PROXY_CLIENT"], os.environ["BARE_PROXY_UPSTREAM"])


def serve_granian_embedded(app: Proxy, port: int, run: Callable[[Coroutine[Any, Any, None]], None]) -> None:
    """Serve in this process and this event loop until SIGTERM."""
    from granian.constants import Interfaces
    from granian.server.embed import Server

    async def serve() -> None:
        server = Server(app, address="127.0.0.1", port=port, interface=Interfaces.ASGINL, log_enabled=False)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, server.stop)
        await server.serve()

    run(serve())


def serve_granian_worker(client: str, upstream: str, port: int, loop: str) -> None:
    """Serve in a worker process under granian's supervisor."""
    from granian import Granian
    from granian.constants import Interfaces, Loops

    os.environ.update(BARE_PROXY_CLIENT=client, BARE_PROXY_UPSTREAM=upstream)
    Granian(
        "benchmarks.bare_proxy:app_of_worker",
        factory=True,
        address="127.0.0.1",
        port=port,
        interface=Interfaces.ASGINL,
        loop=Loops(loop),
        log_enabled=False,
    ).serve()


def serve_uvicorn(app: Proxy, port: int, loop: str) -> None:
    """Serve with uvicorn in this process."""
    import uvicorn

    http = "httptools" if loop == "uvloop" else "h11"
    uvicorn.run(app, host="127.0.0.1", port=port, loop=loop, http=http, lifespan="off", log_level="critical")


def main(server: str, client: str, port: int, upstream: str) -> None:
    """Serve the proxy until SIGTERM."""
    app = Proxy(client, upstream)
    loop = "uvloop" if server.endswith("_uvloop") else "asyncio"
    if server.startswith("granian_worker"):
        serve_granian_worker(client, upstream, port, loop)
    elif server.startswith("uvicorn"):
        serve_uvicorn(app, port, loop)
    elif loop == "uvloop":
        import uvloop

        serve_granian_embedded(app, port, uvloop.run)
    else:
        serve_granian_embedded(app, port, asyncio.run)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
