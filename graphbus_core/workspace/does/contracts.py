"""Contracts held against each other, from wherever they are: files, folders, git, builds, projects, a history."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.build import evolution
from graphbus_core.contracts import MODES, Change, Contract, Verdict, check, compare
from graphbus_core.contracts.front import door, registry
from graphbus_core.contracts.front.door import Item, Read
from graphbus_core.errors import ContractError, UsageError
from graphbus_core.findings import Finding, Level, Related

GIT_TIMEOUT_S = 60
HISTORY = registry.FOLDER
SIDES = {"BACKWARD": frozenset({"input"}), "FORWARD": frozenset({"output"}), "NONE": frozenset[str]()}
SIDES["FULL"] = SIDES["BACKWARD"] | SIDES["FORWARD"]


@dataclass(frozen=True)
class How:
    """How versions are read and judged; one reading a run."""

    mode: str = "BACKWARD"
    reading: str = "strict"
    maps: Mapping[str, str] | None = None
    dialect: str | int | None = None
    side: str = "output"

    @property
    def sides(self) -> frozenset[str]:
        """The sides that the mode asks about."""
        if self.mode not in MODES:
            raise UsageError(f"{self.mode!r} is no compatibility mode; use one of {', '.join(MODES)}.")
        return SIDES[self.mode.removesuffix("_TRANSITIVE")]


def read(text: str, how: How, project: str = ".") -> Read:
    """The contracts of a file, a folder of schemas, `pkg.module:Name`, or `Node.method`. Raises ContractError."""
    path = Path(text)
    if path.is_file():
        return door.read_file(path.name, door.disk(path.parent), path.parent, maps=_maps(how), dialect=how.dialect)
    if path.is_dir():
        return _folder(path, how)
    if ":" in text and "/" not in text and not text.endswith(door.SUFFIXES):
        item = door.read_python(text, how.side, Path(project))
        return Read({"": Item("", item.schema, how.side)})
    schema = evolution.side(text, project, how.side)
    return Read({"": Item("", schema, None, text)})


def against(text: str, path: str, how: How) -> tuple[Read, Read]:
    """(old, new) of a path held against `git:REF[:PATH]`, a revision, a folder, a file or a build."""
    if not text.startswith("git:") and Path(text).exists():
        old = _artifacts(Path(text)) if (Path(text) / "manifest.json").is_file() else read(text, how)
        new = _project(path) if (Path(text) / "manifest.json").is_file() else read(path, how)
        return old, new
    revision, _, inner = text.removeprefix("git:").partition(":")
    here = Path(inner or path)
    base = here.parent if here.suffix in door.SUFFIXES else here
    while not base.is_dir():
        base = base.parent
    new = read(path, how) if Path(path).exists() else Read({})
    return _revision(base, here, revision, how), new


def _maps(how: How) -> Mapping[str, str]:
    return how.maps or {}


def _folder(path: Path, how: How) -> Read:
    return door.read_files(door.files_below(path), door.disk(path), path, maps=_maps(how), dialect=how.dialect)


def _revision(base: Path, path: Path, revision: str, how: How) -> Read:
    """The contracts of a path as git has it at a revision; none where it was not there."""
    commit = evolution.commit_of(base, revision)
    top = Path(_git(base, "rev-parse", "--show-toplevel").decode().strip())
    inside = path.resolve().relative_to(top.resolve()).as_posix()
    listed = _git(top, "ls-tree", "-r", "--name-only", "-z", commit, "--", inside).decode("utf-8", "replace")
    names = [n for n in listed.split("\0") if n.endswith(door.SUFFIXES)]

    def load(name: str) -> bytes:
        at = f"{inside}/{name}" if inside not in names and inside != "." else name if inside == "." else inside
        if inside in names and name != path.name:
            at = f"{Path(inside).parent.as_posix()}/{name}".removeprefix("./")
        return _git(top, "show", f"{commit}:{at}")

    if inside in names:
        return door.read_file(path.name, load, path.resolve().parent, maps=_maps(how), dialect=how.dialect)
    below = [n.removeprefix(f"{inside}/") if inside != "." else n for n in names]
    return door.read_files(sorted(below), load, path.resolve(), maps=_maps(how), dialect=how.dialect)


def _git(folder: Path, *words: str) -> bytes:
    done = subprocess.run(["git", "-C", str(folder), *words], capture_output=True, timeout=GIT_TIMEOUT_S, check=False)
    if done.returncode != 0:
        why = done.stderr.decode(errors="replace").strip().splitlines() or ["git found nothing"]
        raise ContractError(f"git has no such version of {folder}: {why[-1]}.")
    return done.stdout


def _artifacts(folder: Path) -> Read:
    from graphbus_core.artifacts.read import ArtifactFolder

    return _of_agents(ArtifactFolder(folder).agents)


def _project(path: str) -> Read:
    from graphbus_core.build.scan import scan

    return _of_agents(scan(path).agents)


def _of_agents(agents: Iterable[Any]) -> Read:
    items = {}
    for agent in agents:
        for method in agent.methods:
            for side, schema in (("input", method.input_schema), ("output", method.output_schema)):
                if schema is not None:
                    name = f"{agent.name}.{method.name} {side}"
                    items[name] = Item(name, schema.json_schema, side, agent.source_file or "")
    return Read(items)


@dataclass(frozen=True)
class Told:
    """One difference between two sources, as it is reported."""

    finding: Finding
    change: Change | None
    name: str


def differences(old: Read, new: Read, how: How) -> tuple[Told, ...]:
    """Every difference, by name; what is gone breaks, whatever the mode (but NONE)."""
    told: list[Told] = []
    for name in dict.fromkeys([*old.items, *new.items]):
        was, now = old.items.get(name), new.items.get(name)
        if now is None and was is not None:
            told.append(_gone(name or was.file, was.file, how))
        elif was is None and now is not None:
            told.append(_come(name or now.file, now.file))
        elif was is not None and now is not None:
            told += _of_item(name, was, now, how)
    return tuple(told)


def _gone(name: str, file: str, how: How) -> Told:
    level = Level.ERROR if how.sides else Level.NOTE
    return Told(Finding("GB302", f"{name} was removed", file, 1, name, level), None, name)


def _come(name: str, file: str, line: int = 1) -> Told:
    return Told(Finding("GB303", f"{name} was added", file, line, name, Level.NOTE), None, name)


def _of_item(name: str, was: Item, now: Item, how: How) -> Iterator[Told]:
    before, after = was.schema, now.schema
    if was.parts or now.parts:
        for part in dict.fromkeys([*was.parts, *now.parts]):
            if part not in now.parts:
                yield _gone(part, was.file, how)
            elif part not in was.parts:
                yield _come(part, now.file, now.line(f"/properties/{_escaped(part)}"))
        common = [p for p in was.parts if p in now.parts]
        before, after = _only(before, common), _only(after, common)
    found = compare(before, after, reading=how.reading, dialect=how.dialect)
    sides = (frozenset({was.side}) if was.side and how.sides else how.sides) if was.side else how.sides
    for line in found.lines:
        if (line.breaks | line.uncertain) and not (line.may_break & sides) and line.kind in ("together", "undecided"):
            continue
        yield Told(_finding(name, was, now, line, sides), line, name)


def _finding(name: str, was: Item, now: Item, line: Change, sides: frozenset[str]) -> Finding:
    breaks, unsure = line.breaks & sides, line.uncertain & sides
    code = "GB301" if breaks else "GB304" if unsure else "GB303"
    side = next((s for s in sorted(breaks) if s in line.payloads), None)
    payload = line.payloads[side] if side is not None else None
    if now.parts and isinstance(payload, dict) and len(payload) == 1:
        payload = next(iter(payload.values()))  # of the one operation, not of all of them
    reasons = () if side is not None or not breaks else ("No payload proves this line by itself.",)
    old, new = was.line(line.pointers[0]), now.line(line.pointers[1])
    return Finding(
        code,
        line.message,
        now.file,
        new,
        f"{name}:{line.kind}:{line.path}".lstrip(":"),
        Level.NOTE if code == "GB303" else Level.ERROR,
        reasons,
        payload,
        side is not None,
        (Related("before", was.file, old),) if was.file else (),
        (line.suggestion or "") if breaks else "",
    )


def _only(schema: Any, names: list[str]) -> Any:
    return {**schema, "properties": {n: schema["properties"][n] for n in names}}


def _escaped(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1")


def exit_code(findings: Iterable[Finding]) -> int:
    """1 where something breaks, 3 where that was not decided, else 0."""
    codes = {one.code for one in findings if one.level is Level.ERROR}
    return 1 if codes - {"GB304"} else 3 if codes else 0


def judged(findings: Iterable[Finding], settings: Any) -> Any:
    """What counts, against the ignores and the baseline of the settings."""
    from datetime import UTC, datetime

    from graphbus_core.findings import judge
    from graphbus_core.findings.baseline import read_baseline
    from graphbus_core.findings.ignores import configured

    kept = settings["contracts.baseline"]
    file = settings.root / kept if kept else None
    return judge(
        findings,
        today=datetime.now(UTC).date(),
        ignores=configured(settings["contracts.ignore"], settings.source("contracts.ignore")),
        baseline=read_baseline(file) if file is not None and file.is_file() else None,
    )


def is_method(text: str) -> bool:
    """Whether a text names `Node.method`, and no file or module."""
    return not Path(text).exists() and ":" not in text and "/" not in text and not text.endswith(door.SUFFIXES)


def is_project(text: str) -> bool:
    """Whether a folder holds Python, and so a project rather than schemas."""
    path = Path(text)
    return path.is_dir() and next(path.rglob("*.py"), None) is not None


def project_differences(against: str, path: str) -> tuple[Told, ...]:
    """Every method of a project against an older state, each side by its own rule."""
    if not against.startswith("git:") and Path(against).exists():
        if (Path(against) / "manifest.json").is_file():
            how = How("FULL", "link")
            return differences(_artifacts(Path(against)), _project(path), how)
        found = evolution.project_changes(against, path)
    else:
        with evolution.at_revision(path, against.removeprefix("git:").partition(":")[0]) as before:
            found = evolution.project_changes(str(before), path)
    return tuple(_of_method(one) for one in found)


def _of_method(one: Any) -> Told:
    change = one.change
    if change is None:
        code, level = ("GB302", Level.ERROR) if one.breaking else ("GB303", Level.NOTE)
        return Told(Finding(code, f"{one.method} {one.message}", subject=one.method, level=level), None, one.method)
    code = "GB301" if change.breaks else "GB304" if change.uncertain else "GB303"
    level = Level.NOTE if code == "GB303" else Level.ERROR
    payload = next(iter(change.payloads.values()), None)
    made = Finding(
        code,
        one.message,
        subject=f"{one.method}:{change.kind}:{change.path}",
        level=level,
        payload=payload,
        has_payload=bool(change.payloads),
        fix=(change.suggestion or "") if change.breaks else "",
    )
    return Told(made, change, one.method)


def history_differences(history: str, path: str, how: How, project: str) -> tuple[Told, ...]:
    """The contracts of a path against what is published: the newest version, or all of them (`_TRANSITIVE`)."""
    new = read(path, how, project)
    told: list[Told] = []
    for name, item in new.items.items():
        published = registry.versions(Path(history), _published(name, item))
        for version in published if how.mode.endswith("_TRANSITIVE") else published[-1:]:
            old = Item(
                name,
                version.schema,
                item.side,
                f"{history}/{registry.folder_name(_published(name, item))}/{version.number}.json",
            )
            label = f"{_published(name, item)}@{version.number}"
            told += differences(Read({label: old}), Read({label: item}), how)
    return tuple(told)


def _published(name: str, item: Item) -> str:
    text = name or item.file
    for suffix in door.SUFFIXES:
        text = text.replace(suffix, "")
    return text


def publish(folder: str, history: str, how: How) -> tuple[list[str], list[Finding]]:
    """Write a version of each contract that changed; what the mode refuses is not written. (written, refused)."""
    from graphbus_core.files.whole import put_new

    made: list[str] = []
    refused: list[Finding] = []
    for name, item in read(folder, how).items.items():
        title = _published(name, item)
        if how.sides:
            wrong = [
                t.finding for t in history_differences(history, folder, how, ".") if t.name.startswith(f"{title}@")
            ]
            if bad := [f for f in wrong if f.level is Level.ERROR]:
                refused += bad
                continue
        version = registry.next_version(Path(history), title, item.schema, item.side)
        if version is not None:
            file = Path(history) / registry.folder_name(title) / f"{version.number}.json"
            file.parent.mkdir(parents=True, exist_ok=True)
            if not put_new(file, version.text().encode()):
                raise ContractError(f"{file} was published meanwhile; run it again.")
            made.append(f"{title}@{version.number}")
    return made, refused


def can_i_use(consumer: str, producer: str, history: str, how: How) -> tuple[Verdict, tuple[str, str]]:
    """Whether the consumer takes what the producer sends, under a reading; with the names that were held together."""
    sent = registry.wanted(Path(history), producer)
    if Path(consumer).is_file():
        read_of = read(consumer, how)
        taken, label = next(iter(read_of.items.values())).schema, consumer
    else:
        version = registry.wanted(Path(history), consumer)
        taken, label = version.schema, f"{version.name}@{version.number}"
    a, b = sent.schema, taken
    if how.reading == "link":
        a, b = Contract.from_json_schema(a), Contract.from_json_schema(b)
    elif how.reading == "lenient":
        b = Contract.from_json_schema(b).opened
    return check(a, b), (f"{sent.name}@{sent.number}", label)
