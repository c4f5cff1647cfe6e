"""
The service as a program whose clock and whose name servers are the benchmark's.

`DISTURBED_CLOCK` is a file with one number, the seconds by which Python's `time.time` is wrong; `DISTURBED_NAMES` the
address of the only name server. All else is the service's own command line.
"""

import mmap
import os
import struct
import time
from pathlib import Path

_NUMBER = struct.Struct("d")


def set_clock(file: Path, seconds: float) -> None:
    """Let a service that has this file be wrong by so many seconds from now on."""
    with file.open("r+b" if file.exists() else "wb") as opened:
        opened.write(_NUMBER.pack(seconds))


def _disturb_clock(file: Path) -> None:
    with file.open("rb") as opened:
        kept = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    right = time.time
    time.time = lambda: right() + float(_NUMBER.unpack_from(kept)[0])


def _disturb_names(address: str) -> None:
    from service_server.onward.lookup import NameServers

    begin = NameServers.__init__
    begin.__defaults__ = ((address,),)


def main() -> None:
    """Run the command line of the service."""
    _disturb_clock(Path(os.environ["DISTURBED_CLOCK"]))
    from service_server.cli.main import main as run

    _disturb_names(os.environ["DISTURBED_NAMES"])
    run()


if __name__ == "__main__":
    main()
