"""Two sources held against each other: findings with places, whom each breaks, and a payload as proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphbus_core.contracts import Change, compare
from graphbus_core.contracts.front.door import Item, Read
from graphbus_core.contracts.reading.walk import escaped
from graphbus_core.errors import ConfigError
from graphbus_core.findings import Finding, Level, Related
from graphbus_core.workspace.compares.sources import How

BASELINE = "contracts-baseline.json"
# An ignore, or an entry of the baseline, that one diff does not need may be needed by the next: not every run compares
# every file with the same revision.
_OF_A_WHOLE = frozenset({"GB901", "GB903"})


@dataclass(frozen=True)
class ToldDifference:
    """One difference between two sources, as it is reported."""

    finding: Finding
    change: Change | None
    name: str


def differences(old: Read, new: Read, how: How) -> tuple[ToldDifference, ...]:
    """Every difference, by name; what is gone breaks, whatever the mode (but NONE)."""
    told: list[ToldDifference] = []
    for name in dict.fromkeys([*old.items, *new.items]):
        was, now = old.items.get(name), new.items.get(name)
        if now is None and was is not None:
            told.append(gone(name or Path(was.file).name, was.file, how))
        elif was is None and now is not None:
            told.append(_come(name or Path(now.file).name, now.file))
        elif was is not None and now is not None:
            told += _of_item(name, was, now, how)
    return tuple(told)


def gone(name: str, file: str, how: How, line: int = 1) -> ToldDifference:
    """A contract that is no longer there; the place is where it was."""
    # With mode NONE nothing is asked, so even a removal is told and not counted.
    level = Level.ERROR if how.sides else Level.NOTE
    return ToldDifference(Finding("GB302", f"{name} was removed", file, line, name, level), None, name)


def _come(name: str, file: str, line: int = 1) -> ToldDifference:
    return ToldDifference(Finding("GB303", f"{name} was added", file, line, name, Level.NOTE), None, name)


def _of_item(name: str, was: Item, now: Item, how: How) -> Iterator[ToldDifference]:
    before, after = was.schema, now.schema
    if was.parts or now.parts:
        yield from _operations(was, now, how)
        common = [p for p in was.parts if p in now.parts]
        before, after = _only(before, common), _only(after, common)
    found = compare(before, after, reading=how.reading, dialect=how.dialect)
    # What knows its own direction (a request, a response, what is sent) is judged by it alone.
    # A request is what others send, so only its own direction can break somebody.
    sides = frozenset({was.side}) if was.side and how.sides else how.sides
    for line in found.lines:
        # "together" sums up lines. Where none of its sides is asked about it would be a verdict without a reader.
        if (line.breaks | line.uncertain) and not (line.may_break & sides) and line.kind in ("together", "undecided"):
            continue
        if was.side and line.kind in ("together", "undecided"):  # those two say the sides in words
            line = replace(line, breaks=line.breaks & sides, uncertain=line.uncertain & sides)
        yield ToldDifference(_finding(_subject(name, now), was, now, line, sides), line, name)


def _subject(name: str, item: Item) -> str:
    """The same for a file alone and in its folder, so that a baseline of the one holds for the other."""
    if "@" in name or not item.file:
        return name
    # A part's own name would change with the folder that it is read from, and a baseline would not fit any more.
    return f"{Path(item.file).name} {item.side}" if item.parts else Path(item.file).name


def _operations(was: Item, now: Item, how: How) -> Iterator[ToldDifference]:
    """What came and went of an API. Of an operation that is gone its parts are not told one by one."""
    for part, one in was.parts.items():
        # An operation that is gone takes its parts with it: ten lines for one deletion hide the one that counts.
        told_there = one.whole and was.side != "input"  # both sides have it
        if part not in now.parts and not told_there and not _within(part, was.parts, now.parts):
            told = gone(part, was.file, how, was.line(f"/properties/{escaped(part)}"))
            level = told.finding.level if one.needed else Level.NOTE
            yield replace(told, finding=replace(told.finding, level=level))
    for part, one in now.parts.items():
        told_there = one.whole and now.side != "input"
        if part not in was.parts and not told_there and not _within(part, now.parts, was.parts):
            yield _come(part, now.file, now.line(f"/properties/{escaped(part)}"))


def _within(part: str, here: Mapping[str, Any], there: Mapping[str, Any]) -> bool:
    """Whether a part belongs to another that is not there either: `GET /pets 200 …` to `GET /pets`."""
    words = part.split(" ")
    heads = (" ".join(words[:count]) for count in range(2, len(words)))
    return any(head in here and head not in there for head in heads)


def _finding(name: str, was: Item, now: Item, line: Change, sides: frozenset[str]) -> Finding:
    code, level, side = weighed(line, sides)
    breaks = code == "GB301"
    payload = line.payloads[side] if side is not None else None
    # Contracts of an API are read as one object of all operations, which nobody sends: one of them is what is shown.
    if now.parts and isinstance(payload, dict) and len(payload) == 1:
        payload = next(iter(payload.values()))  # of the one operation, not of all of them
    # Said plainly: a break without a payload was concluded from the schemas and not from an example.
    reasons = () if side is not None or not breaks else ("No payload proves this line by itself.",)
    old, new = was.line(line.pointers[0]), now.line(line.pointers[1])
    return Finding(
        code,
        line.message,
        now.file,
        new,
        f"{name}:{line.kind}:{line.path}".lstrip(":"),
        level,
        reasons,
        payload,
        side is not None,
        (Related(f"before{was.at}", was.file, old),) if was.file else (),
        (line.suggestion or "") if breaks else "",
    )


def weighed(change: Change, sides: frozenset[str]) -> tuple[str, Level, str | None]:
    """The code and level of a change where these sides are asked about, and the side whose payload proves a break."""
    breaks = change.breaks & sides
    if not breaks:
        return ("GB304", Level.ERROR, None) if change.uncertain & sides else ("GB303", Level.NOTE, None)
    # Sorted: the same side's payload on each run, or two reports of one change would differ.
    return "GB301", Level.ERROR, next((side for side in sorted(breaks) if side in change.payloads), None)


def _only(schema: Any, names: list[str]) -> Any:
    return {**schema, "properties": {n: schema["properties"][n] for n in names}}


# ---- what counts


def exit_code(findings: Iterable[Finding]) -> int:
    """1 where something breaks, 3 where that was not decided, else 0."""
    codes = {one.code for one in findings if one.level is Level.ERROR}
    # Three only where nothing else broke: a proved break is the stronger answer.
    return 1 if codes - {"GB304"} else 3 if codes else 0


def judged(findings: Iterable[Finding], settings: Any) -> Any:
    """What counts, against the ignores and the baseline of the settings. Raises ConfigError."""
    from datetime import UTC, datetime

    from graphbus_core.findings import judge
    from graphbus_core.findings.baseline import read_baseline
    from graphbus_core.findings.ignores import configured

    kept = settings["contracts.baseline"]
    file = settings.root / kept if kept else None
    if file is not None and not file.is_file():
        # An entry that silences a file which is not there would be believed to protect it.
        raise ConfigError(f"The baseline {kept} is not there; `graphbus contracts diff … --write-baseline` makes it.")
    found = judge(
        findings,
        today=datetime.now(UTC).date(),
        ignores=configured(settings["contracts.ignore"], settings.source("contracts.ignore")),
        baseline=read_baseline(file) if file is not None else None,
    )
    return replace(found, counted=tuple(one for one in found.counted if one.code not in _OF_A_WHOLE))


def keep(findings: Iterable[Finding], settings: Any) -> tuple[Path, int]:
    """Write today's errors to the baseline, beside what it holds already. Returns the file, and how many are new."""
    from graphbus_core.files.whole import put_whole
    from graphbus_core.findings.baseline import baseline_text, read_baseline

    file = settings.root / (settings["contracts.baseline"] or BASELINE)
    before = read_baseline(file).kept if file.is_file() else {}
    found = {one.fingerprint: one for one in findings if one.level is Level.ERROR}
    # One run compares some files; what another run kept of other files stays.
    others = [Finding(code, "", place, 1, subject) for code, place, subject in before.values()]
    put_whole(file, baseline_text([*others, *found.values()]).encode())
    return file, len(found.keys() - before.keys())
