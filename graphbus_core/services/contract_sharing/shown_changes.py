"""What of a change the producer's tests show: each changed part of its code must make a recorded payload another one.

A test that records payloads shows what the code sends only as far as it runs it, and as far as what it records depends
on it. So the tests run once for each changed part, with something else in its place (`mutants`), and once for each run
of lines with what stood there before. They run in the sandbox, on a copy: a path in a literal may be another one then.
What is changed and not shown is not known. What sets a field that the consumer does not take is a note.
"""

from __future__ import annotations

import ast
import json
import re
import secrets
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphbus_core.analysis.files import TESTS
from graphbus_core.contracts import NOTHING, variations
from graphbus_core.contracts.example_values import walk_leaves
from graphbus_core.contracts.parsing.json_schema import is_same_json, walk_schemas
from graphbus_core.contracts.validation.validator import validator
from graphbus_core.errors import ContractError
from graphbus_core.model.edit_outcome import Refusal
from graphbus_core.sandbox.runner import Limits, RunResult, run
from graphbus_core.sandbox.scratch import create_scratch_copy
from graphbus_core.services.contract_sharing import conversions, mutant_runner, neighbour_runner
from graphbus_core.services.contract_sharing.changed_lines import (
    Hunk,
    find_changes,
    list_python_files,
    read_before,
)
from graphbus_core.services.contract_sharing.evidence import RECORDS, Row, Terms, read_records
from graphbus_core.services.contract_sharing.mutants import END_PROCESS, NameUses, Part, find_parts, find_uses
from graphbus_core.services.contract_sharing.number_words import walk_values
from graphbus_core.services.contract_sharing.sensitivity import describe_place
from graphbus_core.services.contract_sharing.source_landmarks import find_source_landmarks
from graphbus_core.text import join_few, shorten

BUDGET_S = 300.0  # for all mutants together
_LOADS = Part(1, "", 0, 0, (), must_run=True)  # the whole file: do the tests load it
MAX_NAMED = 10
MAX_CALL_CHARS = 300
MAX_TEXTS = 40  # of the texts, and of the numbers, that changed code names
_SHOWN_CHARS = 80
_ACCOUNTS = {
    neighbour_runner.NEW_KEYS: "a test has {names}, which neither the code before read nor its tests had: what is sent "
    "for it is new.",
    neighbour_runner.REWRITTEN: "the tests write {names} otherwise than before and send the same: {how}.",
    neighbour_runner.UNLEARNED: "the tests write {names} otherwise than before, and show too little to know what stood "
    "there for other values. Add a row with another value in one of these places alone.",
}
_CLOSING = ("additionalProperties", "patternProperties", "propertyNames", "unevaluatedProperties", "maxProperties")


@dataclass(frozen=True)
class TestRun:
    """How the tests are run: the command, whether git may fetch what counts, and what ends it."""

    command: str
    fetch: bool = True
    stop: threading.Event | None = None


@dataclass(frozen=True)
class _Mutant:
    """A text in place of another; `part` None: what stood there before the change."""

    file: str
    start: int
    end: int
    text: str
    line: int
    part: Part | None


@dataclass
class Outcome:
    """What a change does: `rows` to say, and what the same tests send as another payload than with the code as it was;
    None where that is not known. `beside`: the same of the same calls, with values that no test has."""

    rows: list[Row] = field(default_factory=list)
    pairs: list[tuple[Any, Any]] | None = None
    beside: list[tuple[Any, Any]] = field(default_factory=list)
    new: list[Any] = field(default_factory=list)  # keys that tests of this change alone send: place, count, payload


def judge_change(tests: TestRun, folder: Path, shows: Sequence[str], terms: Terms) -> Outcome:
    """Run the tests with something else in place of each changed part. Raises ContractError."""
    outcome = Outcome()
    outcome.rows += _judge_change(tests, folder, shows, terms, outcome)
    return outcome


def _judge_change(tests: TestRun, folder: Path, shows: Sequence[str], terms: Terms, outcome: Outcome) -> Iterator[Row]:
    records = [shown for shown in shows if shown.endswith(RECORDS)]
    if not records:
        yield Row("unknown", f"`{tests.command}` records nothing: name the file with --show, as recorded/orders.jsonl.")
        return
    changes = find_changes(folder, fetch=tests.fetch)
    if changes is None:
        yield Row("note", "git knows no commit before this one, so nothing is a change that tests must show.")
        return
    mutants = _build_mutants(folder, changes, _list_recorded_texts(folder, records))
    if not mutants:
        outcome.pairs = []
        yield Row("holds", "no Python code was changed that tests must show.")
        return
    before = [read_before(folder, names) for names in _split_changed(changes, mutants)]
    differs = _run_mutants(tests, folder, records, mutants, before, outcome)
    if isinstance(differs, str):
        yield Row("unknown", f"what the change sends is not known: {differs}")
        return
    away = {mutant.file for mutant, differ in differs.items() if mutant.part is _LOADS and not differ}
    if away:
        names = join_few(sorted(away), MAX_NAMED)
        yield Row("note", f"`{tests.command}` does not load {names}: what is changed there sends nothing in it.")
    tried = {mutant: differ for mutant, differ in differs.items() if mutant.file not in away}
    shown = {(mutant.file, mutant.part) for mutant, differ in tried.items() if differ}
    silent = [m for m in tried if not tried[m] and (m.part is None or (m.file, m.part) not in shown)]
    beside = _call_beside(tests, folder, records, changes, before, silent)
    yield from _judge_beside(beside, terms, outcome)
    yield from _tell_new_keys(outcome.new, terms)
    yield from _describe(tried | dict.fromkeys(beside.reached, True), _Untaken(terms), tests.command)
    if left := sum(mutant not in differs and mutant.file not in away for mutant in mutants):
        yield Row("unknown", f"{left} mutants of the change were not tried within {BUDGET_S:.0f} s. Name faster tests.")


def _split_changed(changes: Mapping[str, Sequence[Hunk]], mutants: Sequence[_Mutant]) -> tuple[set[str], set[str]]:
    """The changed files that send something, and those of the tests."""
    return {mutant.file for mutant in mutants}, {name for name in changes if TESTS.search(name)}


def _list_recorded_texts(folder: Path, records: Sequence[str]) -> list[str]:
    """The texts in what the tests recorded, as far as it is there and can be read."""
    texts: dict[str, None] = {}
    for shown in records:
        with suppress(ContractError):
            for _, payload in read_records(folder / shown):
                texts |= {leaf: None for _, leaf in walk_leaves(payload) if isinstance(leaf, str)}
    return list(texts)


def _build_mutants(folder: Path, changes: Mapping[str, Sequence[Hunk]], recorded: Sequence[str]) -> list[_Mutant]:
    """The mutants of all changed code, file by file. `recorded`: texts that the tests record. Raises ContractError."""
    mutants: list[_Mutant] = []
    for name, hunks in sorted(changes.items()):
        if name.endswith(".py") and TESTS.search(name) is None and (folder / name).is_file():
            source = (folder / name).read_bytes()
            mutants += _build_mutants_of_file(name, source, hunks, _find_other_uses(folder, name, source), recorded)
    return mutants


def _find_other_uses(folder: Path, name: str, source: bytes) -> NameUses:
    """What other files do with the names that a file gives at its top."""
    words = set(re.findall(rb"(?m)^\w+(?=[ ]*[:=])", source))
    uses = NameUses()
    for other in list_python_files(folder) if words else ():
        text = (folder / other).read_bytes() if other != name and (folder / other).is_file() else b""
        if words.intersection(re.findall(rb"\w+", text)):
            with suppress(SyntaxError, ValueError, RecursionError):
                uses |= find_uses(text)
    return uses


def _build_mutants_of_file(
    name: str, source: bytes, hunks: Sequence[Hunk], uses: NameUses, recorded: Sequence[str]
) -> Iterator[_Mutant]:
    try:
        parts = find_parts(source, frozenset(line for hunk in hunks for line in hunk.lines), uses, recorded)
    except (SyntaxError, ValueError, RecursionError) as e:
        raise ContractError(f"{name} cannot be read as Python: {e}.") from None
    if not parts and all(hunk.count for hunk in hunks):
        return  # comments, hints: nothing that runs
    yield _Mutant(name, 0, 0, f"{END_PROCESS}\n", 1, _LOADS)
    offsets = _list_offsets(source)
    for hunk in hunks:
        start, end = (offsets[min(line, len(offsets)) - 1] for line in (hunk.line, hunk.line + hunk.count))
        yield _Mutant(name, start, end, hunk.before.decode("utf-8", "replace"), hunk.line, None)
    for part in parts:
        for text in part.replacements:
            yield _Mutant(name, part.start, part.end, text, part.line, part)


def _list_offsets(source: bytes) -> list[int]:
    offsets = [0]
    for line in source.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    return offsets


def _run_mutants(
    tests: TestRun,
    folder: Path,
    records: Sequence[str],
    mutants: Sequence[_Mutant],
    before: Sequence[dict[str, str | None]],
    outcome: Outcome,
) -> dict[_Mutant, bool] | str:
    """For each mutant whether the tests recorded something else with it; or why that is not known."""
    mark = secrets.token_hex(16)
    parts = dict.fromkeys((m.file, m.part) for m in mutants if m.part not in (None, _LOADS))
    numbers: dict[tuple[str, Part | None], int] = {part: number for number, part in enumerate(parts)}
    request = {
        "mark": mark,
        "command": tests.command,
        "records": list(records),
        "seconds": BUDGET_S,
        "code_before": before[0],
        "tests_before": before[1],
        "mutants": [
            {
                "file": mutant.file,
                "start": mutant.start,
                "end": mutant.end,
                "text": mutant.text,
                "loads": mutant.part is _LOADS,
                "part": numbers.get((mutant.file, mutant.part)),
            }
            for mutant in mutants
        ],
    }
    ran = _run_script(mutant_runner.__file__, request, tests, folder, records)
    if isinstance(ran, str):
        return ran
    differs = _read_answers(ran, mark, tests.command, outcome)
    return differs if isinstance(differs, str) else {mutants[number]: differ for number, differ in differs.items()}


@dataclass
class _Beside:
    """What came of calls beside those of the tests, with the code as it was and as it is: in how many both could be
    compared, those that differ, and the mutants that some call shows."""

    compared: int = 0
    calls: list[dict[str, Any]] = field(default_factory=list)
    reached: list[_Mutant] = field(default_factory=list)


def _call_beside(
    tests: TestRun,
    folder: Path,
    records: Sequence[str],
    changes: Mapping[str, Sequence[Hunk]],
    before: Sequence[Mapping[str, str | None]],
    silent: Sequence[_Mutant],
) -> _Beside:
    """Call what sends with values that no test has, around what the changed code names. The tests are not run again
    for that, but once."""
    mark = secrets.token_hex(16)
    changed = {name: frozenset(line for hunk in changes[name] for line in hunk.lines) for name in before[0]}
    landmarks = find_source_landmarks(folder, changed)
    asked = [mutant for mutant in silent if mutant.part is not _LOADS]
    request = {
        "mark": mark,
        "command": tests.command,
        "records": list(records),
        "seconds": BUDGET_S / 2,
        "files": [name for name in list_python_files(folder) if TESTS.search(name) is None],
        "before": before[0],
        "tests_before": before[1],
        "mutants": [{"file": m.file, "start": m.start, "end": m.end, "text": m.text} for m in asked],
        "texts": sorted(landmarks.texts)[:MAX_TEXTS],
        "numbers": sorted(landmarks.numbers)[:MAX_TEXTS],
        "runner": mutant_runner.__file__,
        "variations": variations.__file__,
        "conversions": conversions.__file__,
    }
    ran = _run_script(neighbour_runner.__file__, request, tests, folder, records)
    beside = _Beside()
    for line in ran.output.splitlines() if isinstance(ran, RunResult) else ():
        if not line.startswith(mark):
            continue
        said = json.loads(line[len(mark) :])
        if "call" in said:
            beside.calls.append(said)
        else:
            beside.compared = said["compared"]
            beside.reached = [asked[number] for number in said["reached"]]
    return beside


def _judge_beside(beside: _Beside, terms: Terms, outcome: Outcome) -> Iterator[Row]:
    """What was taken, or sent nothing, and is refused now; what is taken both times goes to `outcome`, to be read."""
    refuses = validator(terms.schemas["consumer"], formats=True).check
    refused = None
    told: set[str] = set()
    for said in beside.calls:
        was, now, account = said["before"], said["now"], said["account"]
        is_written_otherwise = account is not None and account["how"]  # then the code before was never meant for it
        if was is not None and refuses(was) is not None and not is_written_otherwise:
            continue
        if (violation := refuses(now)) is None:
            if account is not None:
                yield from _tell_account(said, account, outcome, told)
            if was is not None and (account is None or account["kind"] == neighbour_runner.UNLEARNED):
                outcome.beside.append((was, now))
        elif refused is None and said["proves"]:
            refused = said, violation
    if refused is not None:
        said, violation = refused
        gave = "no payload" if said["before"] is None else f"what {terms.parties['consumer']} takes"
        yield Row(
            "unknown",
            f"no test shows what the change sends by {_describe_call(said['call'])}: it gave {gave}, and now "
            f"{violation}. Add that test, if there is such a thing.",
            said["now"],
        )
    elif not beside.compared:
        why = "no function at the top of a file gives what is recorded for plain values"
        yield Row("note", f"only what the tests send was compared with the code as it was: {why}.")


def _tell_account(
    said: Mapping[str, Any], account: Mapping[str, Any], outcome: Outcome, told: set[str]
) -> Iterator[Row]:
    """Why a difference that is taken may be meant. Of a test it is no other reading of what was sent before: it is
    named, and the other side looks. Where the tests show too little, a note asks for a row, and it is asked about as
    any other."""
    is_unlearned = account["kind"] == neighbour_runner.UNLEARNED
    if said["is_tested"] and not is_unlearned:
        pair = [said["before"], said["now"]]
        if outcome.pairs is not None:
            outcome.pairs = [one for one in outcome.pairs if not is_same_json(list(one), pair)]
    names = join_few([repr(name) for name in account["names"]], MAX_NAMED)
    why = _ACCOUNTS[account["kind"]].format(names=names, how=account["how"])
    if said["is_tested"] or (is_unlearned and why not in told):
        told.add(why)
        yield Row("note", why, NOTHING if is_unlearned else said["now"])


def _tell_new_keys(new: Sequence[Any], terms: Terms) -> Iterator[Row]:
    """A key that the consumer does not take, in what it takes, may say how to read what is beside it. Nobody can tell
    by computing whether that means the same without the key."""
    consumer = terms.parties["consumer"]
    taken = {place for place, _ in walk_values(terms.schemas["consumer"])}
    for place, count, payload in new[:MAX_NAMED]:
        if tuple(place[:-1]) in taken and tuple(place) not in taken:
            name = describe_place(tuple(place))
            yield Row(
                "note",
                f"{consumer} does not take {name}, and no payload of the tests as they were has it (now: {count}). "
                f"What {consumer} reads beside it must mean the same without it.",
                payload,
                is_asked=True,
            )


def _describe_call(call: str) -> str:
    try:
        name, function, arguments = ast.literal_eval(call)
    except (ValueError, SyntaxError):  # a long one, of which a part is known
        return shorten(call, MAX_CALL_CHARS)
    asked = shorten(
        ", ".join(f"{key}={neighbour_runner.describe_value(value)}" for key, value in arguments.items()), MAX_CALL_CHARS
    )
    return f"{name}: {function}({asked})"


def _run_script(
    script: str, request: Mapping[str, Any], tests: TestRun, folder: Path, records: Sequence[str]
) -> RunResult | str:
    """Run a script of ours in the sandbox, on a copy; or why that could not be done."""
    limits = Limits(timeout_s=BUDGET_S + 60, memory_mb=2048, output_bytes=16_000_000, stop=tests.stop)
    try:
        with create_scratch_copy(folder, {}, keep=records) as scratch:
            ran = run(
                # Two runs differ in what the code does, and not in the order of its sets.
                ["env", "PYTHONHASHSEED=0", sys.executable, script],
                scratch,
                mount_path=folder.resolve(),
                limits=limits,
                python_path=[str(scratch), *([str(scratch / "src")] if (scratch / "src").is_dir() else [])],
                stdin_data=json.dumps(request).encode(),
            )
    except Refusal as e:
        return str(e)
    if ran.stopped == "interrupt":
        raise KeyboardInterrupt
    return ran


def _read_answers(ran: RunResult, mark: str, command: str, outcome: Outcome) -> dict[int, bool] | str:
    differs: dict[int, bool] = {}
    is_steady = None
    for line in ran.output.splitlines():
        if not line.startswith(mark):
            continue
        said: dict[str, Any] = json.loads(line[len(mark) :])
        if "failed" in said:
            return f"`{command}` fails in the sandbox, on a copy without network, home or keys: {said['failed']}."
        if said.get("pairs") is not None:
            outcome.pairs = [(before, now) for before, now in said["pairs"]]
        outcome.new += said.get("new", ())
        if "mutant" in said:
            differs[said["mutant"]] = said["differs"]
        is_steady = said.get("steady", is_steady)
    if is_steady is False:
        return f"`{command}` records something else each time it is run in one folder. Let it begin from nothing."
    if is_steady is None and not differs:
        return f"`{command}` could not be run in the sandbox: {ran.stopped or shorten(ran.output, 300)}"
    return differs


class _Untaken:
    """Which fields the consumer does not take, so that it is all the same what they hold."""

    def __init__(self, terms: Terms) -> None:
        parts = [part for _, part in walk_schemas(terms.schemas["consumer"]) if isinstance(part, dict)]
        self.who = terms.parties["consumer"]
        self._is_open = not any(part.get(word, True) not in (True, {}) for part in parts for word in _CLOSING)
        self._named = {name for part in parts for name in (*part.get("properties", ()), *part.get("required", ()))}

    def holds_all(self, fields: frozenset[str]) -> bool:
        """Whether all of these are such fields."""
        return bool(fields) and self._is_open and self._named.isdisjoint(fields)


def _describe(differs: Mapping[_Mutant, bool], untaken: _Untaken, command: str) -> Iterator[Row]:
    """A row a part that no test shows; one where all are shown."""
    shown = {(mutant.file, mutant.part) for mutant, differ in differs.items() if differ}
    silent = [mutant for mutant, differ in differs.items() if not differ]
    hidden = {(mutant.file, mutant.part): mutant.part for mutant in silent}.items()
    parts = [(file, part) for (file, _), part in hidden if part is not None and (file, part) not in shown]
    never = [(file, part) for file, part in parts if part.must_run]
    rows = [
        _describe_part(file, part, untaken)
        for file, part in parts
        # What holds it and never runs is said already.
        if not any(file == other and part != outer and _is_inside(part, outer) for other, outer in never)
    ]
    if not any(row.state == "unknown" for row in rows):
        rows += [
            Row(
                "note",
                f"no test shows what changed at {mutant.file}, line {mutant.line}: with what stood there before, every "
                "recorded payload is the same.",
            )
            for mutant in silent
            if mutant.part is None
        ]
    rows.sort(key=lambda row: row.state != "unknown")
    yield from rows[:MAX_NAMED]
    if len(rows) > MAX_NAMED:
        yield Row(rows[MAX_NAMED].state, f"no test shows {len(rows) - MAX_NAMED} more parts of the change.")
    if differs and not rows:
        count = len({(file, part) for file, part in shown if part is not None and part is not _LOADS})
        yield Row("holds", f"`{command}`, or a call beside its own, shows each of {count} changed parts of the code.")


def _is_inside(part: Part, other: Part) -> bool:
    return other.start <= part.start and part.end <= other.end


def _describe_part(file: str, part: Part, untaken: _Untaken) -> Row:
    place = f"{file}, line {part.line}: {shorten(part.text, _SHOWN_CHARS)}"
    what = "no test runs it" if part.must_run else "with another thing there every recorded payload is the same"
    if untaken.holds_all(part.fields):
        why = f" It sets {' and '.join(sorted(part.fields))}, which {untaken.who} does not take."
    elif part.is_aside:
        why = " It is a call beside what is sent."
    else:
        return Row("unknown", f"no test shows what the change sends by {place}: {what}.")
    return Row("note", f"no test shows {place}: {what}.{why}")
