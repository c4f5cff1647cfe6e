"""Reads answers so that nobody else waits: small ones at once, the others in the side process."""

from attrs import evolve, frozen

from service_server.answers.reading import Read, Reading, read_answer
from service_server.answers.side_process import SideProcess, TooMuchWork
from service_server.catalog.hooks import SourcedHook
from service_server.onward.values import OnwardResponse

_LARGE_BYTES = 256 * 1024
_MANY_VALUES = 4_000
"""Expressions and hooks take some microseconds for each."""


class TooMuchToRead(Exception):
    """An answer that takes more time or memory to read than there is for it."""


@frozen
class AnswerReader:
    """Reads answers."""

    side_process: SideProcess

    async def read(self, reading: Reading, response: OnwardResponse) -> Read:
        """Read an answer; raises TooMuchToRead."""
        if is_light(response.body):
            return read_answer(reading, response)
        request = evolve(reading.request, headers=(), body=b"", streamed=None)  # the credentials are not needed there
        reshape = None if reading.reshape is None else SourcedHook.of(reading.reshape)
        try:
            return await self.side_process.run(read_answer, evolve(reading, request=request, reshape=reshape), response)
        except TooMuchWork as failure:
            raise TooMuchToRead(str(failure)) from None


def is_light(body: bytes) -> bool:
    """Whether a body can be read, whatever it holds, within a few ms."""
    return len(body) <= _LARGE_BYTES and body.count(b",") + body.count(b"[") + body.count(b"{") <= _MANY_VALUES
