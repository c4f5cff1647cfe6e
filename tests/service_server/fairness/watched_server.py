"""
`service-server` with a watchdog on its event loop: `python -m tests.service_server.fairness.watched_server FILE …`.

A beat that the loop is asked for every millisecond measures the processor time that the loop's thread has used since
the last one: what others had to wait for, however busy the machine is. Each that is long goes to FILE as a line of
JSON, with the places in the code that a second thread saw meanwhile.
"""

import asyncio
import json
import sys
import threading
import time
import traceback
from pathlib import Path

import uvloop

BEAT_SECONDS = 0.001
NOTED_SECONDS = 0.02
SAMPLE_SECONDS = 0.005


class Watchdog:
    """Watches one loop."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._thread = threading.get_ident()
        self._clock = time.pthread_getcpuclockid(self._thread)
        self._last = time.clock_gettime(self._clock)
        self._seen: list[str] = []

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to watch once the loop runs."""
        loop.call_soon(self._beat, loop)
        threading.Thread(target=self._sample, daemon=True, name="watchdog").start()

    def _beat(self, loop: asyncio.AbstractEventLoop) -> None:
        held = time.clock_gettime(self._clock) - self._last
        seen, self._seen = self._seen, []
        if held > NOTED_SECONDS:
            with self._file.open("a") as lines:
                lines.write(json.dumps({"milliseconds": round(held * 1000, 1), "seen": seen[-8:]}) + "\n")
        self._last = time.clock_gettime(self._clock)
        loop.call_later(BEAT_SECONDS, self._beat, loop)

    def _sample(self) -> None:
        while True:
            time.sleep(SAMPLE_SECONDS)
            if time.clock_gettime(self._clock) - self._last > NOTED_SECONDS / 2:
                frames = traceback.extract_stack(sys._current_frames()[self._thread])
                self._seen.append(" < ".join(f"{Path(each.filename).name}:{each.lineno}" for each in frames[:-7:-1]))


def main() -> None:
    """Run the command with each event loop watched."""
    file = Path(sys.argv.pop(1))
    new_event_loop = uvloop.new_event_loop

    def watched() -> uvloop.Loop:
        loop = new_event_loop()
        Watchdog(file).start(loop)
        return loop

    uvloop.new_event_loop = watched
    from service_server.cli import main as service_server

    sys.argv[0] = "service-server"
    service_server()


if __name__ == "__main__":
    main()
