"""How failures to sign in add up, with a clock of the test's own."""

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from service_server.administration.throttle import Throttle


class Clock:
    """A clock that only moves when told to."""

    now = 1000.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def tries(throttle: Throttle, times: int = 5) -> list[float]:
    """The waits of attempts of one operator at one address."""
    return [throttle.begin("ada", "192.0.2.1") for _ in range(times)]


def test_waits_double_up_to_a_quarter_of_an_hour() -> None:
    """Five mistakes cost nothing, each further failure doubles the wait; an hour of peace forgets."""
    clock = Clock()
    throttle = Throttle(clock)
    waits = []
    for _ in range(18):
        waits.append(throttle.begin("ada", "192.0.2.1"))
        clock.now += waits[-1]
        if waits[-1]:
            assert 0.0 == throttle.begin("ada", "192.0.2.1")
    assert [*[0.0] * 5, 1.0, 2.0, 4.0, 8.0] == waits[:9]
    assert 900.0 == waits[-1]
    clock.now += 3601
    assert [0.0] * 5 == tries(throttle)
    assert throttle.begin("ada", "192.0.2.1") > 0


def test_success_forgets_the_failures() -> None:
    """The right password clears what this operator failed from this address."""
    throttle = Throttle(Clock())
    assert [0.0] * 5 == tries(throttle)
    throttle.succeeded("ada", "192.0.2.1")
    assert [0.0] * 5 == tries(throttle)


def test_one_address_trying_many_operators_waits() -> None:
    """Going through names is slowed down as well, and across a whole IPv6 network."""
    throttle = Throttle(Clock())
    assert [0.0] * 20 == [throttle.begin(f"operator {n}", f"2001:db8::{n}") for n in range(20)]
    assert throttle.begin("another", "2001:db8::ffff") > 0
    assert throttle.begin("another", "2001:db8:0:1::1") == 0.0


def test_an_operator_cannot_be_locked_out() -> None:
    """However many addresses guess, the operator's own waits ten seconds at most."""
    clock = Clock()
    throttle = Throttle(clock)
    for number in range(500):
        while wait := throttle.begin("ada", f"address {number}"):
            clock.now += wait
    assert throttle.begin("ada", "198.51.100.7") <= 10


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["192.0.2.1", "x", "::1"]), st.booleans())))
def test_waits_are_never_negative_or_longer_than_a_quarter_of_an_hour(attempts: list[tuple[str, str, bool]]) -> None:
    """Whatever happens, nobody waits more than 900 seconds."""
    throttle = Throttle(Clock())
    for operator, address, right in attempts:
        wait = throttle.begin(operator, address)
        assert 0 <= wait <= 900
        if right and not wait:
            throttle.succeeded(operator, address)


def test_names_that_nobody_has_take_no_room() -> None:
    """A stranger who tries ever longer names of operators fills no memory with them."""
    throttle = Throttle(Clock())
    tracemalloc.start()
    try:
        for number in range(200):
            throttle.begin(f"{number}{'x' * 60_000}", "192.0.2.1")
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert taken < 1_000_000
