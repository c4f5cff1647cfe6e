"""The harness that runs programs keeps them apart: ports are nobody else's, and answers are the program's own."""

import sys

import pytest

from tests.real_apps.running import EndedEarly, first_port, free_port, running


def test_a_port_is_given_once() -> None:
    """No two programs are told to listen on the same port, however late the first of them does."""
    ports = [free_port() for _ in range(200)]

    assert len(set(ports)) == len(ports)


def test_workers_look_in_different_parts() -> None:
    """Workers can't give each other's programs a port; all parts lie below what outgoing connections get."""
    firsts = [first_port(""), *(first_port(f"gw{number}") for number in range(11))]

    assert sorted(firsts) == list(range(20_000, 32_000, 1_000))


def test_an_answer_of_another_program_is_not_its_own() -> None:
    """A program that found its port taken has not started, though somebody answers there."""
    port = free_port()
    serve = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1"]
    with running(serve) as first:
        first.answers(f"http://127.0.0.1:{port}")
        with running(serve) as second:
            second.process.wait(timeout=30)
            with pytest.raises(EndedEarly, match="Address already in use"):
                second.answers(f"http://127.0.0.1:{port}")
