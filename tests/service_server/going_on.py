"""Users who go on doing something while a test does something else."""

import contextlib
import itertools
import threading
from collections import Counter
from collections.abc import Callable, Iterator

from attrs import Factory, frozen

Deed = Callable[[int], object]


@frozen
class Told:
    """How often each deed was done, by its name, and what went wrong."""

    done: Counter[str] = Factory(Counter)
    failures: list[str] = Factory(list)


@contextlib.contextmanager
def going_on(*deeds: tuple[str, Deed]) -> Iterator[Told]:
    """Do each of these, under its name, again and again in a thread of its own, with how often it was done before."""
    told, stopped = Told(), threading.Event()

    def go_on(name: str, deed: Deed) -> None:
        for number in itertools.count():
            if stopped.is_set():
                return
            try:
                deed(number)
            except Exception as failure:
                told.failures.append(f"{name}: {failure!r}")
            else:
                told.done[name] += 1

    threads = [threading.Thread(target=go_on, args=each) for each in deeds]
    for thread in threads:
        thread.start()
    try:
        yield told
    finally:
        stopped.set()
        for thread in threads:
            thread.join()
