"""Two sources held against each other: findings with places, whom each breaks, and a payload as proof."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphbus_core.analysis import contract_history
from graphbus_core.contracts import Change, compare
from graphbus_core.contracts.diff.api_versions import PRIVATE, read_versions, select_parts, strip_private
from graphbus_core.contracts.inclusion.emptiness import find_unsatisfiable
from graphbus_core.contracts.loaders.loader import LoadedContract, LoadResult
from graphbus_core.contracts.loaders.openapi import STATUS
from graphbus_core.contracts.loaders.wire import find_wire_breaks
from graphbus_core.contracts.parsing.json_schema import encode_pointer_part
from graphbus_core.errors import ConfigError, ContractError
from graphbus_core.findings import Finding, Level, Related
from graphbus_core.services.contract_diff.path_names import rename_paths
from graphbus_core.services.contract_diff.sources import CompareOptions

JSON_VERSION = 2  # of what `contracts diff --json` prints; 0.2 printed 1, without the number
WHOM = {"input": "who sends", "output": "who reads"}
_KINDS = {"GB302": "contract_removed", "GB303": "contract_added"}
BASELINE = "contracts-baseline.json"
MANY_PARTS = 300  # of an API: what their comparison holds is a fifth of all memory, and a quarter of a second to find
# An ignore, or an entry of the baseline, that one diff does not need may be needed by the next: not every run compares
# every file with the same revision.
_WHOLE_RUN_CODES = frozenset({"GB901", "GB903"})


@dataclass(frozen=True)
class Difference:
    """One difference between two sources, as it is reported."""

    finding: Finding
    change: Change | None
    name: str
    breaks: frozenset[str] = frozenset()  # the sides, where no change of a schema says them

    def to_dict(self) -> dict[str, Any]:
        """JSON form, the same for all: what changed, where, whom it breaks, and the payload."""
        finding = self.finding
        plain: dict[str, Any] = {
            "kind": _KINDS.get(finding.code, "wire_changed"),
            "path": self.name,
            "before": None,
            "after": None,
            "breaks": sorted(self.breaks),
            "uncertain": [],
            "payloads": {},
            "pointers": ["", ""],
            "message": finding.message,
            "suggestion": None,
        }
        row = self.change.to_dict() if self.change is not None else plain
        return {
            **row,
            "whom": [WHOM[side] for side in row["breaks"]],
            "place": {"file": finding.file, "line": finding.line},
            "payload": finding.payload if finding.has_payload else None,
            "finding": finding.to_dict(),
        }


def list_differences(old: LoadResult, new: LoadResult, how: CompareOptions) -> tuple[Difference, ...]:
    """Every difference, by name; what is gone breaks, whatever the mode (but NONE)."""
    result: list[Difference] = []
    is_large = False
    for name in dict.fromkeys([*old.items, *new.items]):
        was, now = old.items.get(name), new.items.get(name)
        if now is None and was is not None:
            result.append(build_removal(name or Path(was.file).name, was.file, how))
        elif was is None and now is not None:
            result.append(_build_addition(name or Path(now.file).name, now.file))
        elif was is not None and now is not None:
            if is_large:  # what the requests of a large API took is let go of before its responses are compared
                gc.collect()
            is_large = len(was.parts) > MANY_PARTS
            result += _compare_item(name, was, now, how)
    return tuple(result)


def build_removal(
    name: str, file: str, how: CompareOptions, line: int = 1, sides: frozenset[str] | None = None
) -> Difference:
    """A contract that is no longer there; the place is where it was."""
    # With mode NONE nothing is asked, so even a removal is told and not counted.
    level = Level.ERROR if how.sides else Level.NOTE
    broken = how.sides if sides is None else sides
    return Difference(Finding("GB302", f"{name} was removed", file, line, name, level), None, name, broken)


def _build_addition(name: str, file: str, line: int = 1) -> Difference:
    return Difference(Finding("GB303", f"{name} was added", file, line, name), None, name)


def _compare_item(name: str, was: LoadedContract, now: LoadedContract, how: CompareOptions) -> Iterator[Difference]:
    if was.parts and now.parts:
        was = rename_paths(was, now)
    before, after = was.schema, now.schema
    if was.parts or now.parts:
        yield from _compare_operations(was, now, how)
        yield from _compare_wire(was, now, how)
        common = [p for p in was.parts if p in now.parts]
        before, after = read_versions(
            _select_properties(before, common), _select_properties(after, common), was.side or now.side
        )
    comparison = compare(before, after, reading=how.reading, dialect=how.dialect)
    # What knows its own direction (a request, a response, what is sent) is judged by it alone.
    # A request is what others send, so only its own direction can break somebody.
    sides = frozenset({was.side}) if was.side and how.sides else how.sides
    for line in comparison.lines:
        if PRIVATE in line.path and not line.may_break:  # of a tag that nobody wrote
            continue
        # "together" sums up lines. Where none of its sides is asked about it would be a verdict without a reader.
        if (line.breaks | line.uncertain) and not (line.may_break & sides) and line.kind in ("together", "undecided"):
            continue
        if was.side and line.kind in ("together", "undecided"):  # those two say the sides in words
            line = replace(line, breaks=line.breaks & sides, uncertain=line.uncertain & sides)
        yield Difference(_build_finding(_find_subject(name, now), was, now, line, sides), line, name)


def _find_subject(name: str, item: LoadedContract) -> str:
    """The same for a file alone and in its folder, so that a baseline of the one holds for the other."""
    if "@" in name or not item.file:
        return name
    # A part's own name would change with the folder that it is read from, and a baseline would not fit any more.
    return f"{Path(item.file).name} {item.side}" if item.parts else Path(item.file).name


def _compare_operations(was: LoadedContract, now: LoadedContract, how: CompareOptions) -> Iterator[Difference]:
    """What came and went of an API. Of an operation that is gone its parts are not told one by one."""
    for part, operation in was.parts.items():
        # An operation that is gone takes its parts with it: ten lines for one deletion hide the one that counts.
        told_there = operation.whole and was.side != "input"  # both sides have it
        told_there |= part.endswith(STATUS) and _has_content(part, was.parts)  # its media types are told themselves
        if part not in now.parts and not told_there and not _is_part_of_missing(part, was.parts, now.parts):
            line = was.find_line(f"/properties/{encode_pointer_part(part)}")
            broken = frozenset({operation.side}) if operation.needed else frozenset[str]()
            removal = build_removal(part, was.file, how, line, broken)
            level = removal.finding.level if operation.needed else Level.NOTE
            yield replace(removal, finding=replace(removal.finding, level=level))
    for part, operation in now.parts.items():
        told_there = (operation.whole and now.side != "input") or part.endswith(STATUS)
        if part not in was.parts and not told_there and not _is_part_of_missing(part, now.parts, was.parts):
            line = now.find_line(f"/properties/{encode_pointer_part(part)}")
            yield _build_addition(part, now.file, line)
    # What came harms nobody; that it can be nothing is worth a line all the same.
    came = [name for name, part in now.parts.items() if name not in was.parts and part.side == now.side]
    for reason in find_unsatisfiable(select_parts(now.schema, came)) if came else ():
        part = next((name for name in came if reason.path.startswith(name)), now.name)
        line = now.find_line(f"/properties/{encode_pointer_part(part)}")
        yield Difference(Finding("GB303", reason.message, now.file, line, part, Level.NOTE), None, part)


def _has_content(part: str, parts: Mapping[str, Any]) -> bool:
    head = part.removesuffix(STATUS) + " "
    return any(name.startswith(head) and name != part for name in parts)


def _compare_wire(was: LoadedContract, now: LoadedContract, how: CompareOptions) -> Iterator[Difference]:
    """What no schema says: how parameters are written in a request, and who is let in."""
    for part, operation in was.parts.items():
        current = now.parts.get(part)
        if current is None or operation.side != was.side or "input" not in how.sides:
            continue
        for name, sentence in find_wire_breaks(operation.facts, current.facts):
            line = now.find_line(f"/properties/{encode_pointer_part(part)}")
            message = f"{part} {sentence}" if operation.whole else f"{part}.{name} {sentence}"
            subject = f"{_find_subject(part, now)}:wire:{part} {name}"
            broken = frozenset({"input"})
            yield Difference(Finding("GB301", message, now.file, line, subject, Level.ERROR), None, part, broken)


def _is_part_of_missing(part: str, own_parts: Mapping[str, Any], other_parts: Mapping[str, Any]) -> bool:
    """Whether a part belongs to another that is not there either: `GET /pets 200 …` to `GET /pets`."""
    words = part.split(" ")
    heads = (" ".join(words[:count]) for count in range(2, len(words)))
    return any(head in own_parts and head not in other_parts for head in heads)


def _build_finding(name: str, was: LoadedContract, now: LoadedContract, line: Change, sides: frozenset[str]) -> Finding:
    code, level, side = weigh_change(line, sides)
    breaks = code == "GB301"
    payload = line.payloads[side] if side is not None else None
    # Contracts of an API are read as one object of all operations, which nobody sends: one of them is what is shown.
    if now.parts and isinstance(payload, dict) and len(payload) == 1:
        payload = next(iter(payload.values()))  # of the one operation, not of all of them
    shown = strip_private(payload) if now.parts else payload
    # Said plainly: a break without a payload was concluded from the schemas and not from an example.
    reasons: tuple[str, ...] = () if side is not None or not breaks else ("No payload proves this line by itself.",)
    if shown != payload:
        reasons = ("Read branch by branch, as nothing tells the branches of this union apart: another may pass it.",)
    if code == "GB304":
        doubts = (line.doubts.get(s) for s in sorted(line.uncertain & sides))
        reasons = tuple(dict.fromkeys(f"Whether it breaks was not decided: {why}." for why in doubts if why))
    old, new = was.find_line(line.pointers[0]), now.find_line(line.pointers[1])
    return Finding(
        code,
        line.message,
        now.file,
        new,
        f"{name}:{line.kind}:{line.path}".lstrip(":"),
        level,
        reasons,
        shown,
        side is not None,
        (Related(f"before{was.at}", was.file, old),) if was.file else (),
        (line.suggestion or "") if breaks else "",
    )


def weigh_change(change: Change, sides: frozenset[str]) -> tuple[str, Level, str | None]:
    """The code and level of a change where these sides are asked about, and the side whose payload proves a break."""
    breaks = change.breaks & sides
    if not breaks:
        return ("GB304", Level.ERROR, None) if change.uncertain & sides else ("GB303", Level.NOTE, None)
    # Sorted: the same side's payload on each run, or two reports of one change would differ.
    return "GB301", Level.ERROR, next((side for side in sorted(breaks) if side in change.payloads), None)


def _select_properties(schema: Any, names: list[str]) -> Any:
    return {**schema, "properties": {n: schema["properties"][n] for n in names}}


# ---- what counts


def compute_exit_code(findings: Iterable[Finding]) -> int:
    """1 where something breaks, 3 where that was not decided, else 0."""
    codes = {finding.code for finding in findings if finding.level is Level.ERROR}
    # Three only where nothing else broke: a proved break is the stronger answer.
    return 1 if codes - {"GB304"} else 3 if codes else 0


def judge_differences(findings: Iterable[Finding], settings: Any) -> Any:
    """What counts, against the ignores and the baseline of the settings. Raises ConfigError."""
    from datetime import UTC, datetime

    from graphbus_core.findings import judge
    from graphbus_core.findings.suppressions import read_baseline, read_configured_ignores

    baseline_name = settings["contracts.baseline"]
    file = settings.root / baseline_name if baseline_name else None
    if file is not None and not file.is_file():
        # An entry that silences a file which is not there would be believed to protect it.
        raise ConfigError(
            f"The baseline {baseline_name} is not there; `graphbus contracts diff … --write-baseline` makes it."
        )
    verdict = judge(
        findings,
        today=datetime.now(UTC).date(),
        ignores=read_configured_ignores(settings["contracts.ignore"], settings.find_source("contracts.ignore")),
        baseline=read_baseline(file) if file is not None else None,
    )
    return replace(
        verdict, counted=tuple(finding for finding in verdict.counted if finding.code not in _WHOLE_RUN_CODES)
    )


def update_baseline(findings: Iterable[Finding], settings: Any) -> tuple[Path, int]:
    """Write today's errors to the baseline, beside what it holds already. Returns the file, and how many are new."""
    from graphbus_core.findings.suppressions import read_baseline, render_baseline
    from graphbus_core.storage.atomic_files import write_atomic

    file = settings.root / (settings["contracts.baseline"] or BASELINE)
    before = read_baseline(file).kept if file.is_file() else {}
    current_errors = {finding.fingerprint: finding for finding in findings if finding.level is Level.ERROR}
    # One run compares some files; what another run kept of other files stays.
    others = [Finding(code, "", place, 1, subject) for code, place, subject in before.values()]
    write_atomic(file, render_baseline([*others, *current_errors.values()]).encode())
    return file, len(current_errors.keys() - before.keys())


# The methods of a project against an older state of it: git, another folder, or a build. Each side by its own rule.


def is_project(text: str) -> bool:
    """Whether a folder holds agents. One with Python and no agent is a folder of schemas like any other."""
    path = Path(text)
    # Files first: looking for promises scans the folder, and most folders of schemas hold no Python at all.
    return path.is_dir() and next(path.rglob("*.py"), None) is not None and bool(contract_history.read_promises(text))


def was_project(text: str, against: str | None) -> bool:
    """Whether a folder that is gone held agents at a revision: then all their promises are gone, which is a finding."""
    path = Path(text)
    if (
        against is None
        or path.exists()
        or path.suffix
        or not (against.startswith("git:") or not Path(against).exists())
    ):
        return False
    with contract_history.unpack_revision(text, parse_revision(against)) as copy:
        return bool(contract_history.read_promises(str(copy)))


def parse_revision(against: str) -> str:
    """The revision in `git:REF[:PATH]`."""
    return against.removeprefix("git:").partition(":")[0]


def find_build(text: str) -> Path | None:
    """The folder of a build that a text names: itself, or what stands in it. None where it names none."""
    for folder in (Path(text), Path(text) / "artifacts", Path(text) / ".graphbus"):
        if (folder / "manifest.json").is_file():
            return folder
    return None


def list_project_differences(against: str, path: str, how: CompareOptions) -> tuple[Difference, ...]:
    """Every method of a project against `git:REF`, a folder or a build."""
    now = contract_history.read_promises(path) if Path(path).exists() else {}
    project_dir = Path(path).resolve()
    build = None if against.startswith("git:") else find_build(against)
    # Here and not above: a diff of schemas needs no artifacts.
    if build is not None:
        from graphbus_core.artifacts.folder import ArtifactFolder

        old = ArtifactFolder(build)
        return _convert_changes(contract_history.collect_promises(old.agents, project_dir), now, how, " in the build")
    if not against.startswith("git:") and Path(against).exists():
        before = contract_history.read_promises(against)
        # Nothing on the other side would make every method new, and the answer "no break" a lie.
        if not before:
            raise ContractError(
                f"{against} holds neither agents nor a build, so {path} has nothing to be held against."
            )
        return _convert_changes(before, now, how, "")
    revision = parse_revision(against)
    with contract_history.unpack_revision(path, revision) as copy:
        # Named as they stand here: the copy is gone when somebody looks.
        before = {
            name: (method, ((project_dir / Path(file).relative_to(copy)).as_posix(), line))
            for name, (method, (file, line)) in contract_history.read_promises(str(copy)).items()
        }
    return _convert_changes(before, now, how, f" at {revision}")


def _convert_changes(
    before: contract_history.Promises, now: contract_history.Promises, how: CompareOptions, when_text: str
) -> tuple[Difference, ...]:
    return tuple(
        _build_difference(method_change, when_text, how)
        for method_change in contract_history.find_contract_changes(before, now, reading=how.reading)
    )


def _build_difference(method_change: contract_history.MethodChange, when_text: str, how: CompareOptions) -> Difference:
    change = method_change.change
    was, now = (_locate_from_root(place, how) for place in method_change.places)
    file, line = now or was or ("", 1)
    related = (Related(f"before{when_text}", *was),) if was is not None and now is not None else ()
    if change is None:
        # Not there is broken for callers, whatever its contract was.
        broken = method_change.breaking and bool(how.sides)
        code, level = ("GB302", Level.ERROR) if broken else ("GB303", Level.NOTE)
        finding = Finding(
            code,
            f"{method_change.method} {method_change.message}",
            file,
            line,
            method_change.method,
            level,
            related=related,
        )
        return Difference(finding, None, method_change.method)
    code, level, side = weigh_change(change, how.sides)
    change_finding = Finding(
        code,
        f"{method_change.method}: {method_change.message}",
        file,
        line,
        subject=f"{method_change.method}:{change.kind}:{change.path}",
        level=level,
        payload=change.payloads[side] if side is not None else None,
        has_payload=side is not None,
        related=related,
        fix=(change.suggestion or "") if code == "GB301" else "",
    )
    return Difference(change_finding, change, method_change.method)


def _locate_from_root(place: contract_history.Place | None, how: CompareOptions) -> tuple[str, int] | None:
    # From the root, as editors and pull requests name files.
    return None if place is None else (Path(os.path.relpath(place[0], how.root.resolve())).as_posix(), place[1])
