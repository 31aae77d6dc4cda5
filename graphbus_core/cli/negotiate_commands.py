"""The commands of `graphbus negotiate` as functions that print and give an exit code. No typer here: agents poll often.

Each is one operation of the directory, and a translation of what it says into the exit codes of the scripts in use
(`skill/references/protocol.md`).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, ParamSpec

from graphbus_core.cli import negotiate_text as text
from graphbus_core.errors import ConfigError, GraphBusError, UsageError
from graphbus_core.negotiation.document.vocabulary import USUAL_NAMES, Reason, Settings
from graphbus_core.shown import shown
from graphbus_core.stores.directory import NegotiationDirectory, Told

P = ParamSpec("P")

EXIT_USAGE = 64
EXIT_ERROR = 70  # something failed where the reference has no code for an error

# A participant's identity: one seat each (reference, "Commands and exit codes"). In the order, and with the word before
# it, of the later edition of the scripts, so that one session is one participant whichever scripts it uses.
SESSION_VARIABLES = {
    "CODEX_THREAD_ID": "codex:",
    "CODEX_SESSION_ID": "codex:",
    "CLAUDE_SESSION_ID": "claude:",
    "CLAUDE_CODE_SESSION_ID": "claude:",
    "GEMINI_SESSION_ID": "gemini:",
    "CURSOR_SESSION_ID": "cursor:",
    "NEGOTIATE_PARTICIPANT_ID": "manual:",
}


def identity() -> str:
    """Who we are to the others, or "" where no identity is claimed."""
    for variable, origin in SESSION_VARIABLES.items():
        if value := os.environ.get(variable, "").strip():
            return f"{origin}{value[:200]}"
    return ""


def _fails(error: int) -> Callable[[Callable[P, int]], Callable[P, int]]:
    """Every failure has this command's exit code for an error, and one paragraph on standard error."""

    def around(command: Callable[P, int]) -> Callable[P, int]:
        @wraps(command)
        def run(*args: P.args, **kwargs: P.kwargs) -> int:
            try:
                return command(*args, **kwargs)
            except BrokenPipeError:
                raise
            except ConfigError as e:
                return failed(str(e), EXIT_USAGE, _wants_json(command, args, kwargs))
            except (GraphBusError, OSError) as e:
                return failed(str(e), error, _wants_json(command, args, kwargs))

        return run

    return around


def failed(why: str, code: int, as_json: bool = False) -> int:
    """A failure in a paragraph on standard error, and for programs as an object like any other answer."""
    print(f"graphbus negotiate: {shown(why)}", file=sys.stderr)
    if as_json:
        print(text.as_json({"ok": False, "error": why, "code": code, "reasons": [], "exit": code}))
    return code


def _wants_json(command: Callable[..., int], args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    given = signature(command).bind(*args, **kwargs).arguments
    return bool(given.get("as_json", False))


def _end(told: Told, words: str, as_json: bool, code: int, where: NegotiationDirectory | None = None) -> int:
    for warning in where.warnings if where else ():
        print(f"graphbus negotiate: {shown(warning)}", file=sys.stderr)
    if as_json:
        data = {**told.data, "ok": told.ok, "reasons": [r.to_dict() for r in told.reasons], "exit": code}
        print(text.as_json(data))
    elif not told.ok:
        for reason in told.reasons:
            print(shown(str(reason)), file=sys.stderr)
    elif words:
        print(shown(words))
    return code


@_fails(1)
def init(directory: Path, settings: Settings, as_json: bool = False) -> int:
    """0 you are the initializer; 3 somebody else is; 1 error."""
    where = NegotiationDirectory(directory)
    told = where.init(settings)
    if not told.ok:
        return _end(told, "", as_json, 1)
    first = bool(told.data["initializer"])
    words = f"You are the initializer of {where.root}." if first else f"{where.root} is open already: join it."
    return _end(told, words, as_json, 0 if first else 3, where)


@_fails(2)
def register(directory: Path, name: str, as_json: bool = False) -> int:
    """0; 1 taken; 2 error; 4 already seated under another name."""
    where = NegotiationDirectory(directory)
    told = where.register(name, identity())
    code = 0 if told.ok else {"taken": 1, "seated": 4}.get(told.code, 2)
    return _end(told, f"Registered as {name}.", as_json, code, where)


@_fails(EXIT_ERROR)
def wait_for_start(directory: Path, name: str, as_json: bool = False) -> int:
    """0 started; 1 not registered; 2 too few agents."""
    where = NegotiationDirectory(directory)
    told = _wait(where, name, lambda data: data["started"] or data["turn"] == "done" or not data["registered"], None)
    if not told.data["registered"]:
        reason = Reason(f"{name} is not registered in {where.root}.", "Use `graphbus negotiate register`.")
        return _end(Told((reason,), told.data), "", as_json, 1, where)
    if (few := _too_few(told)) is not None:
        return _end(few, "", as_json, 2, where)
    return _end(told, text.turn_order(told.data), as_json, 0, where)


def _too_few(told: Told) -> Told | None:
    if len(told.data["agents"]) >= 2:
        return None
    return Told((Reason(f"It could not start: {told.data['ended']}.", "Open a new one."),), told.data)


@_fails(EXIT_ERROR)
def poll(directory: Path, name: str, as_json: bool = False) -> int:
    """0 yours; 1 wait; 2 done."""
    where = NegotiationDirectory(directory)
    return _end_poll(where.poll(name), name, as_json, where)


@_fails(EXIT_ERROR)
def wait_turn(directory: Path, name: str, within_s: float = 540, as_json: bool = False) -> int:
    """0 yours; 1 the time is up, call again; 2 done."""
    where = NegotiationDirectory(directory)
    told = _wait(where, name, lambda data: data["turn"] != "wait" or not data["registered"], within_s)
    return _end_poll(told, name, as_json, where)


def _end_poll(told: Told, name: str, as_json: bool, where: NegotiationDirectory) -> int:
    data = told.data
    if not data["registered"] and data["started"] and data["turn"] != "done":
        reason = Reason(f"{name} is not registered in {where.root}.", f"Registered: {', '.join(data['agents'])}.")
        return _end(Told((reason,), data), "", as_json, EXIT_USAGE, where)
    code = {"yours": 0, "wait": 1, "done": 2}[data["turn"]]
    return _end(told, text.standing(data, name), as_json, code, where)


def _wait(
    where: NegotiationDirectory, name: str, done: Callable[[dict[str, Any]], bool], within_s: float | None
) -> Told:
    ends = None if within_s is None else time.monotonic() + within_s
    pause = 0.05
    while True:
        told = where.poll(name)
        if done(told.data) or (ends is not None and time.monotonic() >= ends):
            return told
        time.sleep(pause if ends is None else max(0.0, min(pause, ends - time.monotonic())))
        pause = min(pause * 1.3, 1.0)


@_fails(2)
def new_issue(directory: Path, topic: str, name: str = "", as_json: bool = False) -> int:
    """0, prints the file name; 2 error."""
    where = NegotiationDirectory(directory)
    told = where.new_issue(topic, name)
    return _end(told, told.data.get("file", ""), as_json, 0 if told.ok else 2, where)


@_fails(1)
def hand_off(directory: Path, name: str, as_json: bool = False) -> int:
    """0; 1 refused, and you keep the turn."""
    where = NegotiationDirectory(directory)
    told = where.hand_off(name)
    return _end(told, text.standing(told.data, name) if told.ok else "", as_json, 0 if told.ok else 1, where)


@_fails(EXIT_ERROR)
def status(directory: Path, as_json: bool = False) -> int:
    """0."""
    where = NegotiationDirectory(directory)
    state = where.look(working=True)
    return _end(Told(data=text.status_data(state)), text.status(state), as_json, 0, where)


@_fails(1)
def finish(directory: Path, as_json: bool = False) -> int:
    """0; 1 something is open or missing."""
    where = NegotiationDirectory(directory)
    told = where.finish()
    return _end(told, text.finished(told.data, where.root), as_json, 0 if told.ok else 1, where)


@_fails(1)
def start(
    directory: Path,
    settings: Settings,
    topic: str = "",
    sources: Sequence[Path] = (),
    name: str = "",
    resume: bool = False,
    wait: bool = True,
    as_json: bool = False,
) -> int:
    """0 started; 1 no seat; 2 too few agents."""
    from graphbus_core.stores.directory_join import join

    where = NegotiationDirectory(directory)
    told = join(where, settings, topic, sources, name, identity(), resume, USUAL_NAMES)
    if not told.ok or not wait:
        return _end(told, text.joined(told.data, where.root) if told.ok else "", as_json, 0 if told.ok else 1, where)
    me = str(told.data["name"])
    waited = _wait(where, me, lambda data: data["started"] or data["turn"] == "done", None)
    told = Told(data={**told.data, **waited.data})
    if (few := _too_few(told)) is not None:
        return _end(few, "", as_json, 2, where)
    return _end(told, text.joined(told.data, where.root), as_json, 0, where)


def _words(said: str, file: str) -> str:
    if said:
        return said
    try:
        if file and file != "-":
            return Path(file).read_text(encoding="utf-8-sig")
        if sys.stdin.isatty():
            raise UsageError("Give the words with --text, with --file PATH, or on standard input.")
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as e:
        raise UsageError(f"{file} cannot be read as UTF-8 text: {e}.") from None


@_fails(1)
def write(
    directory: Path,
    name: str,
    issue: str,
    said: str = "",
    file: str = "-",
    kind: str = "position",
    mark: str = "",
    as_json: bool = False,
) -> int:
    """0; 1 refused."""
    words = "" if mark == "OPEN" else _words(said, file)
    where = NegotiationDirectory(directory)
    told = where.write(name, issue, words, kind, mark, file if file != "-" else "")
    return _end(told, f"Written to {told.data.get('file', '')}.", as_json, 0 if told.ok else 1, where)


@_fails(1)
def reopen(directory: Path, name: str, issue: str, as_json: bool = False) -> int:
    """0; 1 refused."""
    if name != "human":
        return write(directory, name, issue, mark="OPEN", as_json=as_json)
    where = NegotiationDirectory(directory)
    told = where.reopen(issue)
    return _end(told, f"{told.data.get('issue', '')} is open again.", as_json, 0 if told.ok else 1, where)


@_fails(1)
def rule(directory: Path, issue: str, said: str = "", file: str = "-", as_json: bool = False) -> int:
    """0; 1 refused."""
    words = _words(said, file)
    where = NegotiationDirectory(directory)
    told = where.rule(issue, words)
    return _end(told, f"{told.data.get('issue', '')} is decided.", as_json, 0 if told.ok else 1, where)


@_fails(1)
def analysis_done(directory: Path, name: str, as_json: bool = False) -> int:
    """0; 1 refused."""
    where = NegotiationDirectory(directory)
    told = where.analysis_done(name)
    return _end(told, text.standing(told.data, name) if told.ok else "", as_json, 0 if told.ok else 1, where)


@_fails(EXIT_ERROR)
def show(directory: Path, issue: str = "", as_json: bool = False) -> int:
    """0."""
    from graphbus_core.stores.directory_review import stem_of

    where = NegotiationDirectory(directory)
    state = where.look(working=True)
    stem = stem_of(issue, state) or "" if issue else ""
    if issue and not stem:
        raise UsageError(f"There is no issue {issue!r}; `graphbus negotiate status {directory}` lists them.")
    return _end(Told(data=text.whole_data(state, stem)), text.whole(state, stem), as_json, 0, where)


@_fails(EXIT_ERROR)
def watch(directory: Path, within_s: float = 3600, as_json: bool = False) -> int:
    """0 finished; 1 it ended without a document, or the time is up."""
    where = NegotiationDirectory(directory)
    ends, seen = time.monotonic() + within_s, 0
    while True:
        facts = where.facts()
        for entry in facts[seen:]:
            print(text.fact(entry, as_json), flush=True)
        seen = len(facts)
        state = where.look()
        if state.phase == "done":
            return 0 if state.final else 1
        if time.monotonic() >= ends:
            return 1
        time.sleep(0.5)


@_fails(1)
def verify(directory: Path, as_json: bool = False) -> int:
    """0; 1 log and files differ."""
    where = NegotiationDirectory(directory)
    told = Told(where.problems(), {"facts": len(where.log), "put_back": [r.to_dict() for r in where.mended]})
    words = f"The log ({len(where.log)} facts) is whole, and the files say what it says."
    words = "\n".join([*(f"Put back: {reason}" for reason in where.mended), words])
    return _end(told, words, as_json, 0 if told.ok else 1)


@_fails(1)
def recover(directory: Path, as_json: bool = False) -> int:
    """0."""
    where = NegotiationDirectory(directory)
    told = where.recover()
    return _end(told, text.recovered(told.data), as_json, 0, where)
