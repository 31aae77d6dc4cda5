"""`graphbus infer --from-tests`: the tests run in the sandbox while a line says so, and Ctrl-C ends them."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphbus_core.workspace.reads import Inferred, Observed, Sharpened

TICK_S = 0.2


def seen_in_tests(found: Inferred, command: str, values: bool) -> tuple[Inferred, list[str], dict[str, Any]]:
    """What was inferred, sharpened; what to say of it, in words and as JSON.

    Raises UsageError; KeyboardInterrupt once the tests have ended.
    """
    from graphbus_core.workspace.reads import observe, sharpened

    seen = _in_sight(lambda stop: observe(found.root, command, values=values, stop=stop), command)
    made = sharpened(found, seen)
    return made.inferred, _words(seen, made), {"tests": {**seen.to_dict(), "otherwise": list(made.otherwise)}}


def _in_sight(run: Callable[[threading.Event], Observed], command: str) -> Observed:
    """Run it beside a line on stderr that counts the seconds. On Ctrl-C the sandbox is ended first."""
    stop = threading.Event()
    ended: list[Observed | BaseException] = []

    def work() -> None:
        try:
            ended.append(run(stop))
        except BaseException as e:  # told in the thread that waits
            ended.append(e)

    begun = time.monotonic()
    print(f"Running `{command}` in the sandbox, on a copy. Ctrl-C ends it.", file=sys.stderr, flush=True)
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(TICK_S)
            if sys.stderr.isatty():
                print(f"\r{time.monotonic() - begun:.0f} s ", end="", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        stop.set()
        thread.join(30)
        raise
    finally:
        if sys.stderr.isatty():
            print("\r", end="", file=sys.stderr)
    if isinstance(ended[0], BaseException):
        raise ended[0]
    return ended[0]


def _words(seen: Observed, made: Sharpened) -> list[str]:
    """What a person reads of it: how the tests ended, what they sharpened, and where they saw something else."""
    lines = [
        f"`{seen.command}` in the sandbox: {seen.ended}",
        f"  {made.methods} methods were called; {made.parts} parts of contracts became likely, from the tests.",
        "  They are proposals: what tests send is not all that may be sent.",
        *(f"  {one}" for one in made.otherwise),
    ]
    return ["\n".join(lines)]
