"""Several processes of one run: started, started again where one dies, stopped together."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence

PAUSE_S, LONGEST_PAUSE_S = 1.0, 30.0  # before a process that died is started again; doubled each time it dies soon
SOON_S = 10.0
IS_WORKER = "GRAPHBUS_IS_WORKER"  # set for the processes that are looked after: they build nothing themselves
LIFELINE = "GRAPHBUS_LIFELINE"  # set where standard input is a pipe that ends with the process above
GRACE_S = 5.0  # beyond the time for a stop, before a worker that does not end is killed


def without(arguments: Sequence[str], option: str) -> list[str]:
    """The arguments without `--option VALUE` and `--option=VALUE`."""
    kept, skip = [], False
    for one in arguments:
        if skip:
            skip = False
        elif one == option:
            skip = True
        elif not one.startswith(f"{option}="):
            kept.append(one)
    return kept


def run_workers(number: int, arguments: Sequence[str], stop_s: float) -> int:
    """Run `graphbus run …` in so many processes until a signal comes; the number of the signal."""
    command = [sys.executable, "-m", "graphbus_core.cli.main", "run", *without(arguments, "--workers"), "--wait"]
    over = threading.Event()
    came: list[int] = []

    def hear(signum: int, _: object) -> None:
        came.append(signum)
        over.set()

    before = {one: signal.signal(one, hear) for one in (signal.SIGTERM, signal.SIGINT)}
    workers = [_Worker(command) for _ in range(number)]
    try:
        while not over.wait(0.2):
            for worker in workers:
                worker.look_after()
    finally:
        _stop([worker.process for worker in workers if worker.process is not None], stop_s)
        for one, handler in before.items():
            signal.signal(one, handler)
    return came[0]


class _Worker:
    def __init__(self, command: list[str]) -> None:
        self._command = command
        self._pause_s = PAUSE_S
        self._again_at = 0.0
        self.process: subprocess.Popen[bytes] | None = None
        self._start()

    def _start(self) -> None:
        # A session of its own: a Ctrl-C of the terminal reaches this process alone, which then asks each to stop.
        # Nothing is ever written to the pipe. The system closes it where this process ends, also by `kill -9`.
        env = {**os.environ, IS_WORKER: "1", LIFELINE: "1"}
        self.process = subprocess.Popen(self._command, stdin=subprocess.PIPE, start_new_session=True, env=env)
        self._since = time.monotonic()

    def look_after(self) -> None:
        """Start it again where it died."""
        now = time.monotonic()
        if self.process is not None and self.process.poll() is not None:
            self._pause_s = min(self._pause_s * 2, LONGEST_PAUSE_S) if now - self._since < SOON_S else PAUSE_S
            print(
                f"graphbus: the worker {self.process.pid} ended ({self.process.returncode}); "
                f"another is started in {self._pause_s:g} s.",
                file=sys.stderr,
            )
            _let_go(self.process)
            self.process, self._again_at = None, now + self._pause_s
        elif self.process is None and now >= self._again_at:
            self._start()


def _stop(processes: list[subprocess.Popen[bytes]], stop_s: float) -> None:
    for process in processes:
        process.terminate()
    end = time.monotonic() + stop_s + GRACE_S
    for process in processes:
        try:
            process.wait(max(end - time.monotonic(), 0.1))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        _let_go(process)


def _let_go(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        process.stdin.close()


def end_with_parent(stop_s: float) -> None:
    """In a worker: finish what is under way and end where the process above is gone. Elsewhere this does nothing.

    Nobody is left to look after such a worker, and a new run would find it working beside its own.
    """
    # Taken out: a command that a handler starts has the same environment, and a standard input of its own.
    if os.environ.pop(LIFELINE, None) is None:
        return
    pipe = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # a node that reads standard input finds it empty, as without --workers
    os.close(nothing)
    threading.Thread(target=_end_after, args=(pipe, stop_s), name="graphbus-lifeline", daemon=True).start()


def _end_after(pipe: int, stop_s: float) -> None:
    with contextlib.suppress(OSError):
        while os.read(pipe, 1024):
            pass
    os.kill(os.getpid(), signal.SIGTERM)  # the stop that the process above would have asked for
    with contextlib.suppress(OSError, ValueError):  # who read this may be gone, too
        print("graphbus: the process that looks after this worker is gone; the worker ends.", file=sys.stderr)
    time.sleep(stop_s + GRACE_S)
    os._exit(1)
