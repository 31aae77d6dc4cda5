"""Which two versions a command means, and the differences between them: the one road from arguments to findings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from graphbus_core.workspace.compares import published, sources
from graphbus_core.workspace.compares.differences import ToldDifference, differences
from graphbus_core.workspace.compares.projects import is_project, project_differences, was_project
from graphbus_core.workspace.compares.sources import How


@dataclass(frozen=True)
class CompareRequest:
    """`old` and one of the three others, as they were typed. What was not said has the value that is usual for it."""

    old: str
    new: str | None = None
    against: str | None = None
    history: str | None = None
    mode: str | None = None
    reading: str | None = None
    project: str = "."


@dataclass(frozen=True)
class Comparison:
    """The differences, how they were read and judged, and what was strange in the files."""

    told: tuple[ToldDifference, ...]
    how: How
    notes: tuple[str, ...] = ()


def answered(asked: CompareRequest, how: How) -> Comparison:
    """The differences that are asked for. Raises ContractError and UsageError for what cannot be compared."""
    # Where the folder is gone today the past says what it was: a project that was deleted breaks everybody.
    agents = asked.new is None and (is_project(asked.old) or was_project(asked.old, asked.against))
    # Agents call each other in both directions, so both sides count; a published schema is read by those who come
    # later.
    how = replace(how, mode=usual_mode(asked.mode, "FULL" if agents else "BACKWARD"))
    assert how.sides is not None  # a mode that does not exist is refused before anything is read
    if agents:
        # Data flows over links, and an extra field harms nobody there: "strict" would report each new optional field.
        how = replace(how, reading=asked.reading or "link")
        if asked.against is not None:
            return Comparison(project_differences(asked.against, asked.old, how), how)
    if asked.history is not None:
        how = how if agents else _read_as_usual(asked, how)
        return Comparison(published.history_differences(asked.history, asked.old, how, asked.project), how)
    if asked.against is not None:
        pair = sources.against(asked.against, asked.old, how)
    else:
        pair = sources.both(asked.old, str(asked.new), how, asked.project)
    # Decided after reading: whether a file is an API stands in it.
    how = sources.as_usual(how, [one for found in pair for one in found.items.values()], asked.reading)
    return Comparison(differences(*pair, how), how, tuple(dict.fromkeys(pair[1].notes)))


def usual_mode(given: str | None, usual: str) -> str:
    """A mode as the engine calls it."""
    return (given or usual).upper().replace("-", "_")


def _read_as_usual(asked: CompareRequest, how: How) -> How:
    there = Path(asked.old).exists()
    return sources.as_usual(how, sources.read(asked.old, how).items.values() if there else (), asked.reading)
