"""The methods of a project against an older state of it: git, another folder, or a build. Each side by its own rule."""

from __future__ import annotations

import os
from pathlib import Path

from graphbus_core.build import evolution
from graphbus_core.errors import ContractError
from graphbus_core.findings import Finding, Level, Related
from graphbus_core.workspace.compares.differences import ToldDifference, weighed
from graphbus_core.workspace.compares.sources import How


def is_project(text: str) -> bool:
    """Whether a folder holds agents. One with Python and no agent is a folder of schemas like any other."""
    path = Path(text)
    # Files first: looking for promises scans the folder, and most folders of schemas hold no Python at all.
    return path.is_dir() and next(path.rglob("*.py"), None) is not None and bool(evolution.promises(text))


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
    with evolution.at_revision(text, revision_of(against)) as copy:
        return bool(evolution.promises(str(copy)))


def revision_of(against: str) -> str:
    """The revision in `git:REF[:PATH]`."""
    return against.removeprefix("git:").partition(":")[0]


def build_in(text: str) -> Path | None:
    """The folder of a build that a text names: itself, or what stands in it. None where it names none."""
    for folder in (Path(text), Path(text) / "artifacts", Path(text) / ".graphbus"):
        if (folder / "manifest.json").is_file():
            return folder
    return None


def project_differences(against: str, path: str, how: How) -> tuple[ToldDifference, ...]:
    """Every method of a project against `git:REF`, a folder or a build."""
    now = evolution.promises(path) if Path(path).exists() else {}
    here = Path(path).resolve()
    build = None if against.startswith("git:") else build_in(against)
    # Here and not above: a diff of schemas needs no artifacts.
    if build is not None:
        from graphbus_core.artifacts.read import ArtifactFolder

        old = ArtifactFolder(build)
        return _all(evolution.promised(old.agents, here), now, how, " in the build")
    if not against.startswith("git:") and Path(against).exists():
        before = evolution.promises(against)
        # Nothing on the other side would make every method new, and the answer "no break" a lie.
        if not before:
            raise ContractError(
                f"{against} holds neither agents nor a build, so {path} has nothing to be held against."
            )
        return _all(before, now, how, "")
    revision = revision_of(against)
    with evolution.at_revision(path, revision) as copy:
        # Named as they stand here: the copy is gone when somebody looks.
        before = {
            name: (method, ((here / Path(file).relative_to(copy)).as_posix(), line))
            for name, (method, (file, line)) in evolution.promises(str(copy)).items()
        }
    return _all(before, now, how, f" at {revision}")


def _all(before: evolution.Promises, now: evolution.Promises, how: How, at: str) -> tuple[ToldDifference, ...]:
    return tuple(_told(one, at, how) for one in evolution.project_changes(before, now, reading=how.reading))


def _told(one: evolution.MethodChange, at: str, how: How) -> ToldDifference:
    change = one.change
    was, now = (_shown(place, how) for place in one.places)
    file, line = now or was or ("", 1)
    related = (Related(f"before{at}", *was),) if was is not None and now is not None else ()
    if change is None:
        # Not there is broken for callers, whatever its contract was.
        broken = one.breaking and bool(how.sides)
        code, level = ("GB302", Level.ERROR) if broken else ("GB303", Level.NOTE)
        finding = Finding(code, f"{one.method} {one.message}", file, line, one.method, level, related=related)
        return ToldDifference(finding, None, one.method)
    code, level, side = weighed(change, how.sides)
    made = Finding(
        code,
        f"{one.method}: {one.message}",
        file,
        line,
        subject=f"{one.method}:{change.kind}:{change.path}",
        level=level,
        payload=change.payloads[side] if side is not None else None,
        has_payload=side is not None,
        related=related,
        fix=(change.suggestion or "") if code == "GB301" else "",
    )
    return ToldDifference(made, change, one.method)


def _shown(place: evolution.Place | None, how: How) -> tuple[str, int] | None:
    # From the root, as editors and pull requests name files.
    return None if place is None else (Path(os.path.relpath(place[0], how.root.resolve())).as_posix(), place[1])
