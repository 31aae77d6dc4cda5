"""Leases on a clock of the test's own: claimed once, renewed, ended, and known by their token alone."""

from __future__ import annotations

from graphbus_core.participants.people.desk import LEAST_S, MOST_S, Leases


class Clock:
    """A time that moves when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_question_is_claimed_once() -> None:
    """Until it is given back, answered or over."""
    leases = Leases(Clock())
    first = leases.claim("q", 10)
    assert first is not None
    assert leases.claim("q", 10) is None
    leases.end("q")
    assert leases.find(first.token) is None
    assert leases.claim("q", 10) is not None


def test_a_lease_ends_and_cannot_be_renewed_then() -> None:
    """Nobody else gets it either: whoever waits for the answer is told that there is none."""
    clock = Clock()
    leases = Leases(clock)
    lease = leases.claim("q", 10)
    assert lease is not None
    clock.now += 9
    assert leases.renew(lease.token) is not None
    clock.now += 9
    assert leases.remaining_s("q") == 1
    clock.now += 1
    assert leases.remaining_s("q") == 0
    assert leases.renew(lease.token) is None
    assert leases.claim("q", 10) is None


def test_a_lease_has_bounds_and_a_token_is_one_key() -> None:
    """Nobody holds a question for ever, and no other token fits."""
    leases = Leases(Clock())
    long, short = leases.claim("a", 1e9), leases.claim("b", 0)
    assert long is not None
    assert short is not None
    assert (long.seconds, short.seconds) == (MOST_S, LEAST_S)
    assert long.token != short.token
    assert leases.find("") is None
    assert leases.remaining_s("c") is None
