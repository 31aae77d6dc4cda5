"""The commands of `graphbus negotiate` as functions that print and give an exit code. No typer here: agents poll often.

Each is one operation of the directory, and a translation of what it says into the exit codes of the scripts in use
(`skill/references/protocol.md`).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from shlex import quote
from typing import Any

from graphbus_core.cli.negotiate import text
from graphbus_core.cli.negotiate.ends import EXIT_ERROR, EXIT_INTERRUPTED, EXIT_USAGE, end, fails, say
from graphbus_core.cli.negotiate.seated import by_names, keeper, opened, seat_file
from graphbus_core.errors import ConfigError
from graphbus_core.workspace.tables import NegotiationDirectory, Reason, Settings, Told

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


def identity(own: str = "") -> str:
    """Who we are to the others, or "" where no identity is claimed. `own` was given with the command: it goes before
    the session's, because several agents of one session would all be the same participant."""
    if own := own.strip():
        return own[:200] if own.startswith(tuple(SESSION_VARIABLES.values())) else f"manual:{own[:200]}"
    for variable, origin in SESSION_VARIABLES.items():
        if value := os.environ.get(variable, "").strip():
            return f"{origin}{value[:200]}"
    return ""


def _given(settings: Settings | Mapping[str, Any]) -> dict[str, Any]:
    """The settings that were asked for; those that are None were not."""
    data = settings.to_dict() if isinstance(settings, Settings) else settings
    return {key: value for key, value in data.items() if value is not None}


@fails(1)
def init(
    directory: Path, settings: Settings | Mapping[str, Any], as_json: bool = False, through_git: bool = False
) -> int:
    """0 you are the initializer; 3 somebody else is; 1 error."""
    where = NegotiationDirectory(directory)
    told = where.init(Settings(**_given(settings)), through_git)
    if not told.ok:
        return end(told, "", as_json, 1)
    first = bool(told.data["initializer"])
    words = f"You are the initializer of {where.root}." if first else f"{where.root} is open already: join it."
    return end(told, words, as_json, 0 if first else 3, where)


@fails(2)
def register(
    directory: Path,
    name: str,
    as_json: bool = False,
    participant: str = "",
    seat: Path | None = None,
    trust: str = "",
) -> int:
    """0; 1 taken; 2 error; 4 already seated under another name."""
    where = NegotiationDirectory(directory)
    token = ""
    if not by_names(trust):
        from graphbus_core.files.seat import new_token

        token = new_token()
    keep = keeper(where, token, seat)
    told = where.register(name, identity(participant), bring=lambda: keep(name), token=token)
    code = 0 if told.ok else {"taken": 1, "seated": 4}.get(told.code, 2)
    if told.ok:
        told.data["seat"] = seat_file(where, name, token, seat, False)
    return end(told, text.registered(told.data, name), as_json, code, where)


@fails(EXIT_ERROR)
def wait_for_start(directory: Path, name: str, as_json: bool = False) -> int:
    """0 started; 1 not registered; 2 too few agents."""
    where = NegotiationDirectory(directory)
    told = _wait(where, name, lambda data: data["started"] or data["turn"] == "done" or not data["registered"], None)
    if not told.data["registered"]:
        reason = Reason(f"{name} is not registered in {where.root}.", "Use `graphbus negotiate register`.")
        return end(Told((reason,), told.data), "", as_json, 1, where)
    if (few := _too_few(told)) is not None:
        return end(few, "", as_json, 2, where)
    return end(told, text.turn_order(told.data), as_json, 0, where)


def _too_few(told: Told) -> Told | None:
    if len(told.data["agents"]) >= 2:
        return None
    todo = "Open a new one in another DIR."
    return Told((Reason(f"It could not start: {told.data['ended']}.", todo, code="over"),), told.data)


@fails(EXIT_ERROR)
def poll(directory: Path, name: str, as_json: bool = False) -> int:
    """0 yours; 1 wait; 2 done."""
    where = NegotiationDirectory(directory)
    return end_poll(where.poll(name), name, as_json, where)


@fails(EXIT_ERROR)
def wait_turn(directory: Path, name: str, within_s: float = 540, as_json: bool = False) -> int:
    """0 yours; 1 the time is up, call again; 2 done."""
    where = NegotiationDirectory(directory)
    told = _wait(where, name, lambda data: data["turn"] != "wait" or not data["registered"], within_s)
    return end_poll(told, name, as_json, where)


def end_poll(told: Told, name: str, as_json: bool, where: NegotiationDirectory) -> int:
    data = told.data
    if not data["registered"] and data["started"] and data["turn"] != "done":
        reason = Reason(f"{name} is not registered in {where.root}.", f"Registered: {', '.join(data['agents'])}.")
        return end(Told((reason,), data), "", as_json, EXIT_USAGE, where)
    code = {"yours": 0, "wait": 1, "done": 2}[data["turn"]]
    data["skipped"] = where.skipped(name)
    return end(told, text.standing(data, name), as_json, code, where)


def _wait(
    where: NegotiationDirectory, name: str, done: Callable[[dict[str, Any]], bool], within_s: float | None
) -> Told:
    from graphbus_core.workspace.tables import waited

    return waited(where, name, done, within_s)


@fails(2)
def new_issue(directory: Path, topic: str, name: str = "", as_json: bool = False, seat: Path | None = None) -> int:
    """0, prints the file name; 2 error."""
    where, name = opened(directory, seat, name)
    told = unwritten(where.new_issue(topic, name), where, name)
    by = told.data.get("by")
    if by and not name and not as_json:  # beside the file name, which scripts read
        say(f"Filed in the name of {by}, whose turn it is; with --as NAME it is yours or refused.", sys.stderr)
    return end(told, told.data.get("file", ""), as_json, 0 if told.ok else 2, where)


def unwritten(told: Told, where: NegotiationDirectory, name: str) -> Told:
    """What was refused out of turn stands in no file: say so, and how the turn was lost, if it was."""
    if told.code not in ("turn", "early"):
        return told
    first = told.reasons[0]
    todo = "Nothing was written: say it again in your turn (`graphbus negotiate wait-turn`)."
    if told.code == "early":
        todo = f"{first.todo} Nothing was written: say it again in your turn."
    elif lost := where.skipped(name):
        todo = f"{lost} {todo}"
    return Told((Reason(first.what, todo, first.file, first.line, first.code), *told.reasons[1:]), told.data)


@fails(1)
def hand_off(directory: Path, name: str, as_json: bool = False, seat: Path | None = None) -> int:
    """0; 1 refused, and you keep the turn."""
    where, name = opened(directory, seat, name)
    told = where.hand_off(name)
    if told.code == "turn" and (lost := where.skipped(name)):
        first = told.reasons[0]
        told = Told((Reason(first.what, f"{lost} {first.todo}", first.file, first.line, first.code),), told.data)
    return end(told, text.standing(told.data, name) if told.ok else "", as_json, 0 if told.ok else 1, where)


@fails(EXIT_ERROR)
def status(directory: Path, as_json: bool = False) -> int:
    """0."""
    where = NegotiationDirectory(directory)
    state = where.look(working=True)
    skips = where.skips()
    return end(Told(data=text.status_data(state, skips)), text.status(state, skips), as_json, 0, where)


@fails(1)
def finish(directory: Path, as_json: bool = False, seat: Path | None = None) -> int:
    """0; 1 something is open or missing."""
    where, _ = opened(directory, seat)
    told = where.finish()
    return end(told, text.finished(told.data, where.root), as_json, 0 if told.ok else 1, where)


@fails(1)
def start(
    directory: Path,
    settings: Settings | Mapping[str, Any],
    topic: str = "",
    sources: Sequence[Path] = (),
    name: str = "",
    resume: bool = False,
    wait: bool = True,
    as_json: bool = False,
    participant: str = "",
    seat: Path | None = None,
    trust: str = "",
    through_git: bool = False,
) -> int:
    """0 started; 1 no seat; 2 too few agents."""
    from graphbus_core.files import seat as seats
    from graphbus_core.workspace.tables import brought, join, read_plans

    who = identity(participant)
    if resume and not name and not who:
        raise ConfigError("--resume needs the name to go on as: give --name NAME, as `start` printed it.")
    plans = read_plans(sources)
    where = NegotiationDirectory(directory)
    token = "" if by_names(trust) else seats.new_token()
    keep = keeper(where, token, seat)
    told = join(where, _given(settings), topic, plans, name, who, resume, token, keep, through_git)
    if not told.ok:
        return end(told, "", as_json, 1, where)
    brought(where.hidden, str(told.data["name"]), list(told.data["sources"]))
    told.data["seat"] = seat_file(where, str(told.data["name"]), token, seat, bool(told.data["resumed"]))
    again = f"graphbus negotiate start {quote(str(where.root))} --name {told.data['name']} --resume"
    again += f" --participant {quote(who)}" if who else ""  # a restarted session may be another
    me = str(told.data["name"])
    try:
        # At once, and not with the result: whoever is ended while it waits would leave a seat that nobody knows of.
        say(text.seated(told.data, again), sys.stderr)
        if not wait:
            return end(told, text.joined(told.data, where.root), as_json, 0, where)
        waited = _wait(where, me, lambda data: data["started"] or data["turn"] == "done", None)
    except KeyboardInterrupt:
        reason = Reason(f"Interrupted: {me} keeps its seat.", f"Go on with: {again}", code="interrupted")
        print(file=sys.stderr)
        return end(Told((reason,), told.data), "", as_json, EXIT_INTERRUPTED, where)
    told = Told(data={**told.data, **waited.data})
    if (few := _too_few(told)) is not None:
        return end(few, "", as_json, 2, where)
    return end(told, text.joined(told.data, where.root), as_json, 0, where)


def words_of(said: str | None, file: str) -> str:
    """The words of a position, a decision, a summary, a ruling. Raises ConfigError where there are none."""
    if said is not None and file:
        raise ConfigError("Give the words with --text or with --file, not with both.")
    if said is not None:
        words, where = said, "--text"
    elif file and file != "-":
        words, where = _read(Path(file)), file
    else:
        if sys.stdin.isatty() and not file:
            raise ConfigError("Give the words with --text, with --file PATH, or on standard input.")
        words, where = _decoded(sys.stdin.buffer.read(), "Standard input"), "standard input"
    if not words.strip():
        raise ConfigError(f"There are no words in {where}: nothing was written. Say something, and run it again.")
    return words


def _read(path: Path) -> str:
    try:
        return _decoded(path.read_bytes(), str(path))
    except OSError as e:
        raise ConfigError(f"{path} cannot be read: {e.strerror or e}. Check the path.") from None


def _decoded(data: bytes, what: str) -> str:
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as e:
        raise ConfigError(f"{what} is not UTF-8 text ({e.reason} at byte {e.start}): convert it.") from None


@fails(1)
def write(
    directory: Path,
    name: str,
    issue: str,
    said: str | None = None,
    file: str = "",
    kind: str = "position",
    mark: str = "",
    as_json: bool = False,
    seat: Path | None = None,
    accept: str | None = None,
) -> int:
    """0; 1 refused."""
    bare = mark == "AGREED" and said is None and not file and sys.stdin.isatty()
    if bare:
        accept, mark = "", ""  # to agree without words is to accept the newest offer
    words = "" if mark == "OPEN" or accept is not None else words_of(said, file)
    where, name = opened(directory, seat, name)
    told = where.write(name, issue, words, kind, mark, file if file != "-" else "", accept)
    told = unwritten(told, where, name)
    return end(told, text.written(told.data), as_json, 0 if told.ok else 1, where)


def _a_person(where: NegotiationDirectory, issue: str, what: str) -> Told | None:
    """Why nobody acts as `human` here: a person sits at a terminal, or at the page."""
    from graphbus_core.workspace.tables import stem_of

    if stem_of(issue, where.look()) is None or sys.stdin.isatty():
        return None  # an issue that is none is named first
    why = f"{what} is a person's act, and no person sits here: standard input is not a terminal."
    return Told((Reason(why, "Run it in a terminal, or decide on the page (`graphbus serve`).", code="human"),))


@fails(1)
def reopen(directory: Path, name: str, issue: str, as_json: bool = False, seat: Path | None = None) -> int:
    """0; 1 refused."""
    if name != "human":
        return write(directory, name, issue, mark="OPEN", as_json=as_json, seat=seat)
    where = NegotiationDirectory(directory)
    told = _a_person(where, issue, "To reopen an issue") or where.reopen(issue)
    return end(told, f"{told.data.get('issue', '')} is open again.", as_json, 0 if told.ok else 1, where)


@fails(1)
def rule(directory: Path, issue: str, said: str | None = None, file: str = "", as_json: bool = False) -> int:
    """0; 1 refused."""
    words = words_of(said, file)
    where = NegotiationDirectory(directory)
    told = _a_person(where, issue, "A ruling") or where.rule(issue, words)
    return end(told, f"{told.data.get('issue', '')} is decided.", as_json, 0 if told.ok else 1, where)


@fails(1)
def analysis_done(directory: Path, name: str, as_json: bool = False, seat: Path | None = None) -> int:
    """0; 1 refused."""
    where, name = opened(directory, seat, name)
    told = where.analysis_done(name)
    return end(told, text.standing(told.data, name) if told.ok else "", as_json, 0 if told.ok else 1, where)


@fails(EXIT_ERROR)
def show(directory: Path, issue: str = "", as_json: bool = False) -> int:
    """0."""
    from graphbus_core.workspace.tables import no_such_issue, stem_of

    where = NegotiationDirectory(directory)
    state = where.look(working=True)
    stem = stem_of(issue, state) or "" if issue else ""
    if issue and not stem:
        raise ConfigError(str(no_such_issue(state, issue)))
    skips = where.skips()
    return end(Told(data=text.whole_data(state, stem, skips)), text.whole(state, stem, skips), as_json, 0, where)


@fails(EXIT_ERROR)
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


@fails(1)
def verify(directory: Path, as_json: bool = False) -> int:
    """0; 1 log and files differ."""
    where = NegotiationDirectory(directory)
    told = Told(where.problems(), {"facts": len(where.log), "put_back": [r.to_dict() for r in where.mended]})
    words = f"The log ({len(where.log)} facts) is whole, and the files say what it says."
    words = "\n".join([*(f"Put back: {reason}" for reason in where.mended), words])
    return end(told, words, as_json, 0 if told.ok else 1)


@fails(1)
def recover(directory: Path, as_json: bool = False) -> int:
    """0."""
    where = NegotiationDirectory(directory)
    told = where.recover()
    return end(told, text.recovered(told.data), as_json, 0, where)
