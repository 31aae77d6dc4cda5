"""What a project or a build declares, read once: its agents, its links, and what does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from graphbus_core.artifacts import MANIFEST, ArtifactFolder
from graphbus_core.build.commit.land.settling import warning
from graphbus_core.build.link import Linked, link_project
from graphbus_core.build.scan import Project, scan
from graphbus_core.errors import UsageError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph

if TYPE_CHECKING:
    from graphbus_core.contracts.disagreement import Finding
    from graphbus_core.findings import Finding as Found
    from graphbus_core.findings.judged import Judged
    from graphbus_core.settings.effective import Settings


@dataclass(frozen=True)
class Declared:
    """`warning`: a commit was cut off here, and what it means for what is shown."""

    agents: tuple[AgentDefinition, ...]
    graph: AgentGraph
    warning: str | None = None


@dataclass(frozen=True)
class Checked:
    """A project with its links decided. `disagreements`: where a contract and the code beside it differ."""

    project: Project
    linked: Linked
    disagreements: Sequence[Finding]
    warning: str | None = None


def declared(path: str) -> Declared:
    """A project's folder or dotted package, or a build's folder. Raises UsageError, ArtifactError."""
    # By name as well: a folder `.graphbus` without a manifest is a damaged build, and must not be scanned as a
    # project.
    if Path(path, MANIFEST).exists() or Path(path).name == ".graphbus":
        folder = ArtifactFolder(path)
        return Declared(folder.everyone, folder.graph)
    project = scan(path)
    return Declared(project.everyone, link_project(project).graph, _cut_off(project))


def checked(
    path: str, include: list[str] | None = None, exclude: list[str] | None = None, root: str | None = None
) -> Checked:
    """Every contract link of a project. Raises UsageError where there is none.

    `root` is the folder of all the code that may call it, where that is not the nearest with a pyproject.toml or .git.
    """
    # Here: reading a build's declaration needs no linter.
    from graphbus_core.build.lint import lint

    project = scan(path, include, exclude).within(root)
    return Checked(project, link_project(project), lint(project), _cut_off(project))


def judged(of: Checked, settings: Settings, *, with_baseline: bool = True) -> Judged:
    """The findings of a project against its comments, its settings and its baseline. Raises UsageError where the
    baseline that was named is not there."""
    from graphbus_core.build.link.as_findings import findings, sources

    texts = dict(sources(of.project))
    kept = settings.root / settings["baseline"]
    # Only where somebody named it: the usual name is simply used if it is there.
    if with_baseline and not kept.is_file() and settings.source("baseline").startswith("--"):
        raise UsageError(f"There is no baseline {kept}; `graphbus baseline` writes one.")
    found = (*findings(of.project, of.linked, of.disagreements), *_unprovided(of.project, settings))
    return as_set(found, texts, texts.__getitem__, settings, with_baseline)


def as_set(
    found: Iterable[Found], sources: Iterable[str], read: Callable[[str], str], settings: Settings, with_baseline: bool
) -> Judged:
    """Findings against the comments in these sources, what the settings ignore, and the baseline that they name."""
    from datetime import UTC, datetime

    from graphbus_core.findings import judge
    from graphbus_core.findings.baseline import read_baseline
    from graphbus_core.findings.ignores import configured

    kept = settings.root / settings["baseline"]
    return judge(
        found,
        today=datetime.now(UTC).date(),
        sources=sources,
        read=read,
        ignores=configured(settings["ignore"], settings.source("ignore")),
        baseline=read_baseline(kept) if with_baseline and kept.is_file() else None,
    )


def _unprovided(project: Project, settings: Settings) -> Iterator[Found]:
    """GB108: constructor arguments that no provider of the settings gives. A run may be given others."""
    from graphbus_core.findings import Finding as Made, Level
    from graphbus_core.runtime.given.at_build import unprovided

    # A note and no error, because a run may be given the argument by hand.
    for one in unprovided(project.agents, settings["provide"], settings.root):
        file, _, line = one.where.rpartition(":")
        yield Made("GB108", f"{one.node}: {one.why}", file, int(line), one.node, Level.NOTE)


def _cut_off(project: Project) -> str | None:
    return warning(".graphbus", project.root / ".graphbus")
