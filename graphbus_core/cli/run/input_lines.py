"""The lines of standard input, until it ends or SIGTERM comes: then no more are taken, and the run stops as it should.

The line at hand is finished first, for `grace_s` at most: then it is interrupted. It knows nothing of what lines mean.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import threading
from collections.abc import Iterator
from typing import TextIO

_CHUNK = 1 << 16


class Terminated(BaseException):
    """SIGTERM came, and the line at hand did not end in time. Not an Exception: code of nodes lets it pass."""


@contextlib.contextmanager
def input_lines(stream: TextIO, grace_s: float) -> Iterator[Iterator[str]]:
    """The lines of `stream`. Terminated does not leave the block: the run is over, and that is a normal end."""
    try:
        fd = stream.fileno()
    except (OSError, ValueError, AttributeError):  # no file: a test, or a program that put something in its place
        yield iter(stream)
        return
    if threading.current_thread() is not threading.main_thread():  # signals are not ours
        yield iter(stream)
        return
    heard, wake = os.pipe()
    os.set_blocking(wake, False)
    # The timer may be somebody else's (a test's own bound), so it is touched only where SIGTERM came.
    began, before_alarm = False, signal.getsignal(signal.SIGALRM)

    def terminate(*_: object) -> None:
        nonlocal began
        if not began:
            began = True
            signal.signal(signal.SIGALRM, give_up)
        with contextlib.suppress(OSError):
            os.write(wake, b"x")
        signal.setitimer(signal.ITIMER_REAL, grace_s)

    def give_up(*_: object) -> None:
        raise Terminated

    before = signal.signal(signal.SIGTERM, terminate)
    try:
        yield _lines(fd, heard)
    except Terminated:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)
        if began:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before_alarm)
        os.close(heard)
        os.close(wake)


def _lines(fd: int, heard: int) -> Iterator[str]:
    rest = b""
    while True:
        ready, _, _ = select.select([fd, heard], [], [])
        if heard in ready:
            return
        chunk = os.read(fd, _CHUNK)
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield _text(line)
            if select.select([heard], [], [], 0)[0]:
                return
        if not chunk:
            if rest:
                yield _text(rest)
            return


def _text(line: bytes) -> str:
    return line.decode("utf-8", "backslashreplace")  # what is not a text is no JSON either, and is told as such
