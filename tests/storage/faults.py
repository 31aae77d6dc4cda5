"""A disk that fails: each call of `os` in turn, short writes, and a limit that the kernel itself holds."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

NAMES = "open write pwrite pread fsync fdatasync replace link unlink ftruncate fstat lstat"
CALLS = frozenset(NAMES.split())


class FaultyOs:
    """Stands in for the module `os`: the call with number `at` fails, the others are done.

    `short`: each write takes one byte less than it is given. What is taken back after the fault works, as on a disk
    that is full; with `then_all` nothing works any more.
    """

    def __init__(self, at: int = -1, code: int = errno.ENOSPC, short: bool = False, then_all: bool = False) -> None:
        self.at, self.code, self.short, self.then_all = at, code, short, then_all
        self.calls: list[str] = []

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in CALLS:
            return real

        def call(*args: Any, **kwargs: Any) -> Any:
            self.calls.append(name)
            number = len(self.calls) - 1
            if number == self.at or (self.then_all and 0 <= self.at < number):
                raise OSError(self.code, os.strerror(self.code))
            if self.short and name == "write" and len(args[1]) > 1:
                return real(args[0], bytes(args[1])[: len(args[1]) // 2])
            return real(*args, **kwargs)

        return call


def each_fault(run: Callable[[FaultyOs], bool], **how: Any) -> Iterator[FaultyOs]:
    """Run with the first call failing, then the second, until a run makes no call that fails. Gives each disk.

    `run` says whether it got through; the faults are those of a full disk.
    """
    for at in range(200):
        disk = FaultyOs(at, **how)
        done = run(disk)
        if at >= len(disk.calls):
            assert done, "it fails on a disk that works"
            assert at > 1, "no call was made to fail"
            return
        yield disk
    raise AssertionError("it makes more than 200 calls")


def open_files() -> int:
    """How many descriptors this process has."""
    return len(os.listdir("/proc/self/fd"))


def killed(program: str, *args: str, after: bytes, wait_s: float = 0.0) -> None:
    """Run a program that writes for ever, and kill it, `wait_s` after it has printed `after`."""
    import time

    process = subprocess.Popen([sys.executable, "-c", program, *args], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline().strip() == after
    time.sleep(wait_s)
    process.kill()
    process.wait(timeout=30)
    process.stdout.close()


def with_room(bytes_: int, program: str, *args: str) -> str:
    """What a program prints that may make no file larger than that: the kernel writes a part, then says no."""
    limit = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({bytes_}, {bytes_}))\n"
    )
    done = subprocess.run([sys.executable, "-c", limit + program, *args], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
