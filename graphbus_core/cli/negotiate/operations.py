"""The commands of `graphbus negotiate` as functions that print and give an exit code. No typer here: agents poll often.

Each is one operation of the directory, and a translation of what it says into the exit codes of the scripts in use
(`skill/references/protocol.md`).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from shlex import quote
from typing import Any, ParamSpec, TextIO

from graphbus_core.cli.negotiate import text
from graphbus_core.errors import ConfigError, GraphBusError, UsageError
from graphbus_core.services.documents import (
    NegotiationDirectory,
    OperationResult,
    Reason,
    Settings,
    take_turn,
    turn_told,
    waited,
)
from graphbus_core.text import escape_text, format_count

# How a command of `graphbus negotiate` ends: its words for people, one JSON object for programs, and its exit code.


P = ParamSpec("P")

EXIT_USAGE = 64
EXIT_INTERRUPTED = 130
EXIT_ERROR = 70  # something failed where the reference has no code for an error


def report_failures(error: int) -> Callable[[Callable[P, int]], Callable[P, int]]:
    """Every failure has this command's exit code for an error, a paragraph on standard error, and with --json an object
    on standard output."""

    def wrap(command: Callable[P, int]) -> Callable[P, int]:
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
                    return report_failure(
                        UsageError("Interrupted."), EXIT_INTERRUPTED, as_json, "Nothing is lost: run it again."
                    )
                return report_failure(e, EXIT_USAGE if isinstance(e, ConfigError) else error, as_json)

        return run

    return wrap


def report_failure(e: Exception, code: int, as_json: bool, more: str = "") -> int:
    """Say what failed, in a paragraph on standard error, and for programs as an object like any other answer."""
    reason = text.describe_error(e, more)
    print_words(f"graphbus negotiate: {reason}", sys.stderr)
    if as_json:
        print_end(OperationResult((reason,)), "", True, code)
    return code


def print_end(
    result: OperationResult, words: str, as_json: bool, code: int, where: NegotiationDirectory | None = None
) -> int:
    """Print what an operation has to say: `words` where it was done, else its reasons. Returns `code`."""
    for warning in where.warnings if where else ():
        print_words(f"graphbus negotiate: {warning}", sys.stderr)
    if as_json:
        data = {**result.data, "ok": result.ok, "reasons": [r.to_dict() for r in result.reasons], "exit": code}
        if not result.ok:  # as every other command says it
            data |= {"error": "\n".join(map(str, result.reasons)), "code": code}
        print(text.render_json(data))
    elif not result.ok:
        for reason in result.reasons:
            print_words(str(reason), sys.stderr)
    elif words:
        print_words(words)
    return code


def print_words(words: str, out: TextIO | None = None) -> None:
    """Print for people, also where the terminal does not know a letter; nothing in it moves the cursor."""
    out, words = out or sys.stdout, escape_text(words)
    try:
        print(words, file=out, flush=True)
    except UnicodeEncodeError:
        coding = out.encoding or "utf-8"
        print(words.encode(coding, "backslashreplace").decode(coding), file=out, flush=True)


# Who acts in a command of `graphbus negotiate`: a seat with its token, or a name.


def open_as_seat(directory: Path, seat: Path | None = None, name: str = "") -> tuple[NegotiationDirectory, str]:
    """The negotiation, and who acts: the seat's name where a seat file is given. Raises ConfigError where it is of
    another table or another name."""
    where = NegotiationDirectory(directory)
    if seat is None:
        return where, name
    from graphbus_core.storage.seat_token import read_seat

    mine = read_seat(seat)
    if os.path.realpath(mine.root) != os.path.realpath(where.root):
        raise ConfigError(f"{seat} is a seat in {mine.root}, not in {where.root}.")
    if name and name != mine.name:
        raise ConfigError(f"{seat} is the seat of {mine.name}, not of {name}.")
    where.token = mine.token
    return where, mine.name


def is_by_name(trust: str) -> bool:
    if trust not in ("", "names", "tokens"):
        raise ConfigError(f"--trust is `names` or `tokens`, not {trust!r}.")
    return trust == "names"


def build_seat_keeper(where: NegotiationDirectory, token: str, seat_path: Path | None) -> Callable[[str], None]:
    """What puts a seat's token in its file, once the seat is granted and before it is taken: a kill between the two
    leaves a file without a seat, and not a seat that nobody can act for."""

    def keep(name: str) -> None:
        from graphbus_core.storage import seat_token as seats

        if token:
            path = seat_path or seats.locate_seat_file(where.root, name)
            seats.write_seat(path, seats.Seat(str(where.root), name, token))

    return keep


def find_seat_file(where: NegotiationDirectory, name: str, token: str, seat_path: Path | None, resumed: bool) -> str:
    """Where the seat's token lies, "" for a seat by name."""
    from graphbus_core.storage import seat_token as seats

    path = seat_path or seats.locate_seat_file(where.root, name)
    return str(path) if (path.exists() if resumed else bool(token)) else ""


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


def resolve_identity(own: str = "") -> str:
    """Who we are to the others, or "" where no identity is claimed. `own` was given with the command: it goes before
    the session's, because several agents of one session would all be the same participant."""
    if own := own.strip():
        return own[:200] if own.startswith(tuple(SESSION_VARIABLES.values())) else f"manual:{own[:200]}"
    for variable, origin in SESSION_VARIABLES.items():
        if value := os.environ.get(variable, "").strip():
            return f"{origin}{value[:200]}"
    return ""


def _drop_unset(settings: Settings | Mapping[str, Any]) -> dict[str, Any]:
    """The settings that were asked for; those that are None were not."""
    data = settings.to_dict() if isinstance(settings, Settings) else settings
    return {key: value for key, value in data.items() if value is not None}


@report_failures(1)
def init(
    directory: Path, settings: Settings | Mapping[str, Any], as_json: bool = False, through_git: bool = False
) -> int:
    """0 you are the initializer; 3 somebody else is; 1 error."""
    where = NegotiationDirectory(directory)
    result = where.init(Settings(**_drop_unset(settings)), through_git)
    if not result.ok:
        return print_end(result, "", as_json, 1)
    first = bool(result.data["initializer"])
    words = f"You are the initializer of {where.root}." if first else f"{where.root} is open already: join it."
    return print_end(result, words, as_json, 0 if first else 3, where)


@report_failures(2)
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
    if not is_by_name(trust):
        from graphbus_core.storage.seat_token import make_token

        token = make_token()
    keep = build_seat_keeper(where, token, seat)
    result = where.register(name, resolve_identity(participant), bring=lambda: keep(name), token=token)
    code = 0 if result.ok else {"taken": 1, "seated": 4}.get(result.code, 2)
    if result.ok:
        result.data["seat"] = find_seat_file(where, name, token, seat, False)
    return print_end(result, text.render_registration(result.data, name), as_json, code, where)


@report_failures(EXIT_ERROR)
def wait_for_start(directory: Path, name: str, as_json: bool = False) -> int:
    """0 started; 1 not registered; 2 too few agents."""
    where = NegotiationDirectory(directory)
    result = _wait(where, name, lambda data: data["started"] or data["turn"] == "done" or not data["registered"], None)
    if not result.data["registered"]:
        reason = Reason(f"{name} is not registered in {where.root}.", "Use `graphbus negotiate register`.")
        return print_end(OperationResult((reason,), result.data), "", as_json, 1, where)
    if (few := _explain_too_few(result)) is not None:
        return print_end(few, "", as_json, 2, where)
    return print_end(result, text.render_turn_order(result.data), as_json, 0, where)


def _explain_too_few(result: OperationResult) -> OperationResult | None:
    if len(result.data["agents"]) >= 2:
        return None
    todo = "Open a new one in another DIR."
    return OperationResult((Reason(f"It could not start: {result.data['ended']}.", todo, code="over"),), result.data)


@report_failures(EXIT_ERROR)
def poll(directory: Path, name: str, as_json: bool = False) -> int:
    """0 yours; 1 wait; 2 done."""
    where = NegotiationDirectory(directory)
    return end_poll(where.poll(name), name, as_json, where)


@report_failures(EXIT_ERROR)
def wait_turn(directory: Path, name: str, within_s: float = 540, as_json: bool = False) -> int:
    """0 yours; 1 the time is up, call again; 2 done."""
    where = NegotiationDirectory(directory)
    result = _wait(where, name, lambda data: data["turn"] != "wait" or not data["registered"], within_s)
    return end_poll(result, name, as_json, where)


def end_poll(result: OperationResult, name: str, as_json: bool, where: NegotiationDirectory) -> int:
    data = result.data
    if not data["registered"] and data["started"] and data["turn"] != "done":
        reason = Reason(f"{name} is not registered in {where.root}.", f"Registered: {', '.join(data['agents'])}.")
        return print_end(OperationResult((reason,), data), "", as_json, EXIT_USAGE, where)
    code = {"yours": 0, "wait": 1, "done": 2}[data["turn"]]
    data["skipped"] = where.explain_skip(name)
    return print_end(result, text.render_poll(data, name), as_json, code, where)


def _wait(
    where: NegotiationDirectory, name: str, is_done: Callable[[dict[str, Any]], bool], within_s: float | None
) -> OperationResult:
    from graphbus_core.services.documents import waited

    return waited(where, name, is_done, within_s)


@report_failures(2)
def create_issue(directory: Path, topic: str, name: str = "", as_json: bool = False, seat: Path | None = None) -> int:
    """0, prints the file name; 2 error."""
    where, name = open_as_seat(directory, seat, name)
    result = explain_not_written(where.add_issue(topic, name), where, name)
    by = result.data.get("by")
    if by and not name and not as_json:  # beside the file name, which scripts read
        print_words(f"Filed in the name of {by}, whose turn it is; with --as NAME it is yours or refused.", sys.stderr)
    return print_end(result, result.data.get("file", ""), as_json, 0 if result.ok else 2, where)


@report_failures(2)
def file_conflict(directory: Path, places: str, name: str = "", as_json: bool = False, seat: Path | None = None) -> int:
    """0, prints the file name; 2 error."""
    where, name = open_as_seat(directory, seat, name)
    found = where.add_conflict(places, name)
    result = explain_not_written(found, where, name)
    return print_end(result, result.data.get("file", ""), as_json, 0 if result.ok else 2, where)


def explain_not_written(result: OperationResult, where: NegotiationDirectory, name: str) -> OperationResult:
    """What was refused out of turn stands in no file: say so, and how the turn was lost, if it was."""
    if result.code not in ("turn", "early"):
        return result
    first = result.reasons[0]
    todo = "Nothing was written: say it again in your turn (`graphbus negotiate wait-turn`)."
    if result.code == "early":
        todo = f"{first.todo} Nothing was written: say it again in your turn."
    elif lost := where.explain_skip(name):
        todo = f"{lost} {todo}"
    return OperationResult(
        (Reason(first.what, todo, first.file, first.line, first.code), *result.reasons[1:]), result.data
    )


@report_failures(1)
def hand_off(directory: Path, name: str, as_json: bool = False, seat: Path | None = None) -> int:
    """0; 1 refused, and you keep the turn."""
    where, name = open_as_seat(directory, seat, name)
    result = where.hand_off(name)
    if result.code == "turn" and (lost := where.explain_skip(name)):
        first = result.reasons[0]
        result = OperationResult(
            (Reason(first.what, f"{lost} {first.todo}", first.file, first.line, first.code),), result.data
        )
    return print_end(
        result, text.render_poll(result.data, name) if result.ok else "", as_json, 0 if result.ok else 1, where
    )


@report_failures(EXIT_ERROR)
def show_status(directory: Path, as_json: bool = False) -> int:
    """0."""
    where = NegotiationDirectory(directory)
    state = where.read_state(working=True)
    skips = where.list_recent_skips()
    return print_end(
        OperationResult(data=text.build_status_data(state, skips)), text.render_status(state, skips), as_json, 0, where
    )


@report_failures(1)
def finish(directory: Path, as_json: bool = False, seat: Path | None = None) -> int:
    """0; 1 something is open or missing."""
    where, _ = open_as_seat(directory, seat)
    told, ends = where.describe_final()
    if told and not as_json:  # before it ends
        print_words("\n".join(filter(None, (told, ends))), sys.stderr)
    result = where.finish()
    return print_end(result, text.render_finish(result.data, where.root), as_json, 0 if result.ok else 1, where)


@report_failures(1)
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
    from graphbus_core.services.documents import join, mark_sources_read, read_plans
    from graphbus_core.storage import seat_token as seats

    who = resolve_identity(participant)
    if resume and not name and not who:
        raise ConfigError("--resume needs the name to go on as: give --name NAME, as `start` printed it.")
    plans = read_plans(sources)
    where = NegotiationDirectory(directory)
    token = "" if is_by_name(trust) else seats.make_token()
    keep = build_seat_keeper(where, token, seat)
    result = join(where, _drop_unset(settings), topic, plans, name, who, resume, token, keep, through_git)
    if not result.ok:
        return print_end(result, "", as_json, 1, where)
    mark_sources_read(where.hidden, str(result.data["name"]), list(result.data["sources"]))
    result.data["seat"] = find_seat_file(where, str(result.data["name"]), token, seat, bool(result.data["resumed"]))
    again = f"graphbus negotiate start {quote(str(where.root))} --name {result.data['name']} --resume"
    again += f" --participant {quote(who)}" if who else ""  # a restarted session may be another
    me = str(result.data["name"])
    try:
        # At once, and not with the result: whoever is ended while it waits would leave a seat that nobody knows of.
        print_words(text.render_seat(result.data, again), sys.stderr)
        if not wait:
            return print_end(result, text.render_start(result.data, where.root), as_json, 0, where)
        waited = _wait(where, me, lambda data: data["started"] or data["turn"] == "done", None)
    except KeyboardInterrupt:
        reason = Reason(f"Interrupted: {me} keeps its seat.", f"Go on with: {again}", code="interrupted")
        print(file=sys.stderr)
        return print_end(OperationResult((reason,), result.data), "", as_json, EXIT_INTERRUPTED, where)
    result = OperationResult(data={**result.data, **waited.data})
    if (few := _explain_too_few(result)) is not None:
        return print_end(few, "", as_json, 2, where)
    return print_end(result, text.render_start(result.data, where.root), as_json, 0, where)


def read_words(given_text: str | None, file: str) -> str:
    """The words of a position, a decision, a summary, a ruling. Raises ConfigError where there are none."""
    if given_text is not None and file:
        raise ConfigError("Give the words with --text or with --file, not with both.")
    if given_text is not None:
        words, where = given_text, "--text"
    elif file and file != "-":
        words, where = _read_text(Path(file)), file
    else:
        if sys.stdin.isatty() and not file:
            raise ConfigError("Give the words with --text, with --file PATH, or on standard input.")
        words, where = _decode_text(sys.stdin.buffer.read(), "Standard input"), "standard input"
    if not words.strip():
        raise ConfigError(f"There are no words in {where}: nothing was written. Say something, and run it again.")
    return words


def _read_text(path: Path) -> str:
    try:
        return _decode_text(path.read_bytes(), str(path))
    except OSError as e:
        raise ConfigError(f"{path} cannot be read: {e.strerror or e}. Check the path.") from None


def _decode_text(data: bytes, what: str) -> str:
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as e:
        raise ConfigError(f"{what} is not UTF-8 text ({e.reason} at byte {e.start}): convert it.") from None


@report_failures(1)
def write(
    directory: Path,
    name: str,
    issue: str,
    given_text: str | None = None,
    file: str = "",
    kind: str = "position",
    mark: str = "",
    as_json: bool = False,
    seat: Path | None = None,
    accept: str | None = None,
) -> int:
    """0; 1 refused."""
    bare = mark == "AGREED" and given_text is None and not file and sys.stdin.isatty()
    if bare:
        accept, mark = "", ""  # to agree without words is to accept the newest offer
    words = "" if mark == "OPEN" or accept is not None else read_words(given_text, file)
    where, name = open_as_seat(directory, seat, name)
    result = where.write(name, issue, words, kind, mark, file if file != "-" else "", accept)
    result = explain_not_written(result, where, name)
    return print_end(result, text.render_write(result.data), as_json, 0 if result.ok else 1, where)


def _require_person(where: NegotiationDirectory, issue: str, what: str) -> OperationResult | None:
    """Why nobody acts as `human` here: a person sits at a terminal, or at the page."""
    from graphbus_core.services.documents import resolve_issue_stem

    if resolve_issue_stem(issue, where.read_state()) is None or sys.stdin.isatty():
        return None  # an issue that is none is named first
    why = f"{what} is a person's act, and no person sits here: standard input is not a terminal."
    return OperationResult(
        (Reason(why, "Run it in a terminal, or decide on the page (`graphbus serve`).", code="human"),)
    )


@report_failures(1)
def reopen(directory: Path, name: str, issue: str, as_json: bool = False, seat: Path | None = None) -> int:
    """0; 1 refused."""
    if name != "human":
        return write(directory, name, issue, mark="OPEN", as_json=as_json, seat=seat)
    where = NegotiationDirectory(directory)
    result = _require_person(where, issue, "To reopen an issue") or where.reopen(issue)
    return print_end(result, f"{result.data.get('issue', '')} is open again.", as_json, 0 if result.ok else 1, where)


@report_failures(1)
def rule(directory: Path, issue: str, given_text: str | None = None, file: str = "", as_json: bool = False) -> int:
    """0; 1 refused."""
    words = read_words(given_text, file)
    where = NegotiationDirectory(directory)
    result = _require_person(where, issue, "A ruling") or where.rule(issue, words)
    return print_end(result, f"{result.data.get('issue', '')} is decided.", as_json, 0 if result.ok else 1, where)


@report_failures(1)
def submit_analysis(directory: Path, name: str, as_json: bool = False, seat: Path | None = None) -> int:
    """0; 1 refused."""
    where, name = open_as_seat(directory, seat, name)
    result = where.mark_analysis_done(name)
    return print_end(
        result, text.render_poll(result.data, name) if result.ok else "", as_json, 0 if result.ok else 1, where
    )


@report_failures(EXIT_ERROR)
def show(directory: Path, issue: str = "", as_json: bool = False) -> int:
    """0."""
    from graphbus_core.services.documents import build_no_such_issue, resolve_issue_stem

    where = NegotiationDirectory(directory)
    state = where.read_state(working=True)
    stem = resolve_issue_stem(issue, state) or "" if issue else ""
    if issue and not stem:
        raise ConfigError(str(build_no_such_issue(state, issue)))
    skips = where.list_recent_skips()
    return print_end(
        OperationResult(data=text.build_negotiation_data(state, stem, skips)),
        text.render_negotiation(state, stem, skips),
        as_json,
        0,
        where,
    )


@report_failures(EXIT_ERROR)
def show_source(directory: Path, source: str, page: int = 1, as_json: bool = False) -> int:
    """0."""
    from graphbus_core.services.documents import split_pages

    where = NegotiationDirectory(directory)
    sources = where.read_state(working=True).sources
    if source not in sources:
        raise ConfigError(f"There is no source {source!r}. There is {', '.join(sources) or 'none'}.")
    pages = split_pages(sources[source].strip())
    if page > len(pages):
        raise ConfigError(f"{source} has {len(pages)} pages; there is no page {page}.")
    words = pages[page - 1]
    if len(pages) > 1:
        words += f"\n# Page {page} of {len(pages)} of source {source}."
    data = {"source": source, "page": page, "pages": len(pages), "text": pages[page - 1]}
    return print_end(OperationResult(data=data), words, as_json, 0, where)


@report_failures(EXIT_ERROR)
def watch(directory: Path, within_s: float = 3600, as_json: bool = False) -> int:
    """0 finished; 1 it ended without a document, or the time is up."""
    where = NegotiationDirectory(directory)
    ends, printed_count = time.monotonic() + within_s, 0
    while True:
        facts = where.list_facts()
        for entry in facts[printed_count:]:
            print(text.render_fact(entry, as_json), flush=True)
        printed_count = len(facts)
        state = where.read_state()
        if state.phase == "done":
            return 0 if state.final else 1
        if time.monotonic() >= ends:
            return 1
        time.sleep(0.5)


@report_failures(1)
def verify(directory: Path, as_json: bool = False) -> int:
    """0; 1 log and files differ."""
    where = NegotiationDirectory(directory)
    result = OperationResult(
        where.find_problems(), {"facts": len(where.log), "put_back": [r.to_dict() for r in where.mended]}
    )
    words = f"The log ({format_count(len(where.log), 'fact')}) is whole, and the files say what it says."
    words = "\n".join([*(f"Put back: {reason}" for reason in where.mended), words])
    return print_end(result, words, as_json, 0 if result.ok else 1)


@report_failures(1)
def recover(directory: Path, as_json: bool = False) -> int:
    """0."""
    where = NegotiationDirectory(directory)
    result = where.recover()
    return print_end(result, text.render_recovery(result.data), as_json, 0, where)


# The plain forms of the commands that agents call again and again, without the cost of a command-line library.
#
# `graphbus negotiate poll DIR NAME` and its like are read here in no time. Whatever is not exactly of such a form (an
# option in another spelling, a wrong count, `--help`) is left to the full reader, which also says what is wrong.


# command -> how many arguments, options with a value, options without
FORMS: dict[str, tuple[tuple[int, ...], tuple[str, ...], tuple[str, ...]]] = {
    "init": ((1, 2, 3), (), ("--json",)),
    "register": ((2,), ("--participant", "--trust"), ("--json",)),
    "wait-for-start": ((2,), (), ("--json",)),
    "poll": ((2,), (), ("--json",)),
    "new-issue": ((2,), ("--as",), ("--json",)),
    "hand-off": ((2,), (), ("--json",)),
    "status": ((1,), (), ("--json",)),
    "finish": ((1,), (), ("--json",)),
    "verify": ((1,), (), ("--json",)),
    "position": ((3,), ("--text", "--file"), ("--json", "--challenge")),
    "agree": ((3,), ("--text", "--file"), ("--json",)),
    "escalate": ((3,), ("--text", "--file"), ("--json",)),
    "reopen": ((3,), (), ("--json",)),
    "wait-turn": ((2,), (), ("--json",)),
}


def quick(args: list[str]) -> int | None:
    """Run the command if it has a plain form. None: it has not, nothing was done."""
    if not args or args[0] not in FORMS:
        return None
    counts, valued, bare = FORMS[args[0]]
    plain: list[str] = []
    option_values: dict[str, str] = {}
    rest = iter(args[1:])
    for arg in rest:
        if arg in valued:
            value = next(rest, None)
            if value is None or arg in option_values:
                return None
            option_values[arg] = value
        elif arg in bare:
            option_values[arg] = ""
        elif arg.startswith("-"):
            return None
        else:
            plain.append(arg)
    if len(plain) not in counts or not all(plain):
        return None
    return _run_plain(args[0], plain, option_values)


def _run_plain(command: str, plain: list[str], option_values: dict[str, str]) -> int | None:

    directory, rest, as_json = Path(plain[0]), plain[1:], "--json" in option_values
    simple: dict[str, Callable[..., int]] = {
        "wait-for-start": wait_for_start,
        "poll": poll,
        "hand-off": hand_off,
        "status": show_status,
        "finish": finish,
        "verify": verify,
        "reopen": reopen,
    }
    try:
        if command in simple:
            return simple[command](directory, *rest, as_json=as_json)
        match command:
            case "init":
                if not all(r.isascii() and r.replace(".", "", 1).isdecimal() for r in rest):
                    return None
                agents, window = (int(rest[0]) if rest else None), (float(rest[1]) if rest[1:] else None)
                settings = {"expected_agents": agents, "registration_window_s": window}
                return init(directory, settings, as_json)
            case "register":
                who, trust = option_values.get("--participant", ""), option_values.get("--trust", "")
                return register(directory, rest[0], as_json, who, None, trust)
            case "wait-turn":
                return wait_turn(directory, rest[0], as_json=as_json)
            case "new-issue":
                return create_issue(directory, rest[0], option_values.get("--as", ""), as_json)
        mark = {"position": "", "agree": "AGREED", "escalate": "ESCALATE"}[command]
        kind = "challenge" if "--challenge" in option_values else "position"
        given_text, file = option_values.get("--text"), option_values.get("--file", "")
        return write(directory, rest[0], rest[1], given_text, file, kind, mark, as_json)
    except ValueError:
        return None
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


# `graphbus negotiate turn` and `say` as functions that print and give an exit code: two calls a turn.


@report_failures(EXIT_ERROR)
def show_turn(
    directory: Path,
    name: str = "",
    within_s: float = 100,
    everything: bool = False,
    as_json: bool = False,
    seat: Path | None = None,
) -> int:
    """0 yours, with all that it owes; 1 not yet, call again; 2 done."""
    where, name = open_as_seat(directory, seat, name)
    _require_name(name)
    result = waited(where, name, lambda data: data["turn"] != "wait" or not data["registered"], within_s)
    if result.data["turn"] == "yours" and result.data["phase"] == "positions":
        lost = where.explain_skip(name)
        result.data["brief"] = turn_told(where, name, everything)
        words = "\n".join(
            filter(None, [lost, result.data["brief"], text.render_next_call(where.root, name, seat, "say")])
        )
        return print_end(result, words, as_json, 0, where)
    if result.data["turn"] == "wait" and result.data["registered"]:
        result.data["next"] = text.render_next_call(where.root, name, seat, "turn")
    return end_poll(result, name, as_json, where)


def _require_name(name: str) -> None:
    if not name:
        raise ConfigError("Who are you? Give --seat FILE, as `start` or `register` named it, or your NAME behind DIR.")


@report_failures(1)
def say_turn(
    directory: Path, name: str = "", file: str = "", keep: bool = False, as_json: bool = False, seat: Path | None = None
) -> int:
    """0; 1 refused, and nothing of it was taken."""
    where, name = open_as_seat(directory, seat, name)
    _require_name(name)
    result = take_turn(where, name, read_words(None, file or "-"), keep)
    if result.code in ("turn", "early"):
        result = explain_not_written(result, where, name)
    words = text.render_say(result.data, where.root, name, seat) if result.ok else ""
    return print_end(result, words, as_json, 0 if result.ok else 1, where)
