"""How a command of `graphbus negotiate` ends: its words for people, one JSON object for programs, and its exit code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TextIO

from graphbus_core.cli.negotiate import text
from graphbus_core.errors import ConfigError, GraphBusError, UsageError
from graphbus_core.shown import shown
from graphbus_core.workspace.tables import NegotiationDirectory, Told

P = ParamSpec("P")

EXIT_USAGE = 64
EXIT_INTERRUPTED = 130
EXIT_ERROR = 70  # something failed where the reference has no code for an error


def fails(error: int) -> Callable[[Callable[P, int]], Callable[P, int]]:
    """Every failure has this command's exit code for an error, a paragraph on standard error, and with --json an object
    on standard output."""

    def around(command: Callable[P, int]) -> Callable[P, int]:
        place = command.__code__.co_varnames.index("as_json")

        @wraps(command)
        def run(*args: P.args, **kwargs: P.kwargs) -> int:
            try:
                return command(*args, **kwargs)
            except BrokenPipeError:
                raise
            except (GraphBusError, OSError, KeyboardInterrupt) as e:
                as_json = bool(kwargs.get("as_json", len(args) > place and args[place]))
                if isinstance(e, KeyboardInterrupt):
                    return failed(
                        UsageError("Interrupted."), EXIT_INTERRUPTED, as_json, "Nothing is lost: run it again."
                    )
                return failed(e, EXIT_USAGE if isinstance(e, ConfigError) else error, as_json)

        return run

    return around


def failed(e: Exception, code: int, as_json: bool, more: str = "") -> int:
    """Say what failed, in a paragraph on standard error, and for programs as an object like any other answer."""
    reason = text.failure(e, more)
    say(f"graphbus negotiate: {reason}", sys.stderr)
    if as_json:
        end(Told((reason,)), "", True, code)
    return code


def end(told: Told, words: str, as_json: bool, code: int, where: NegotiationDirectory | None = None) -> int:
    """Print what an operation has to say: `words` where it was done, else its reasons. Returns `code`."""
    for warning in where.warnings if where else ():
        say(f"graphbus negotiate: {warning}", sys.stderr)
    if as_json:
        data = {**told.data, "ok": told.ok, "reasons": [r.to_dict() for r in told.reasons], "exit": code}
        if not told.ok:  # as every other command says it
            data |= {"error": "\n".join(map(str, told.reasons)), "code": code}
        print(text.as_json(data))
    elif not told.ok:
        for reason in told.reasons:
            say(str(reason), sys.stderr)
    elif words:
        say(words)
    return code


def say(words: str, out: TextIO | None = None) -> None:
    """Print for people, also where the terminal does not know a letter; nothing in it moves the cursor."""
    out, words = out or sys.stdout, shown(words)
    try:
        print(words, file=out, flush=True)
    except UnicodeEncodeError:
        coding = out.encoding or "utf-8"
        print(words.encode(coding, "backslashreplace").decode(coding), file=out, flush=True)
