"""What a project or a build declares, read once: its agents, its links, and what does not fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from graphbus_core.analysis.links import LinkResult, link_project
from graphbus_core.analysis.scan import Project, scan
from graphbus_core.artifacts import MANIFEST, ArtifactFolder
from graphbus_core.commit.transaction import warn_if_cut_off
from graphbus_core.errors import UsageError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph

if TYPE_CHECKING:
    from graphbus_core.contracts.linting import Disagreement
    from graphbus_core.findings import Finding as Found
    from graphbus_core.findings.suppressions import Report
    from graphbus_core.settings.effective import Settings


@dataclass(frozen=True)
class ProjectDeclaration:
    """`warning`: a commit was cut off here, and what it means for what is shown."""

    agents: tuple[AgentDefinition, ...]
    graph: AgentGraph
    warning: str | None = None


@dataclass(frozen=True)
class CheckedProject:
    """A project with its links decided. `disagreements`: where a contract and the code beside it differ."""

    project: Project
    linked: LinkResult
    disagreements: Sequence[Disagreement]
    warning: str | None = None


def read_declaration(path: str) -> ProjectDeclaration:
    """A project's folder or dotted package, or a build's folder. Raises UsageError, ArtifactError."""
    # By name as well: a folder `.graphbus` without a manifest is a damaged build, and must not be scanned as a
    # project.
    if Path(path, MANIFEST).exists() or Path(path).name == ".graphbus":
        folder = ArtifactFolder(path)
        return ProjectDeclaration(folder.all_agents, folder.graph)
    project = scan(path)
    return ProjectDeclaration(project.everyone, link_project(project).graph, _warn_of_cut_off(project))


def check_project(
    path: str,
    include: list[str] | None = None,
    exclude: list[str] | None = None,
    root: str | None = None,
    *,
    strict: bool = False,
) -> CheckedProject:
    """Every contract link of a project. Raises UsageError where there is none.

    A file that cannot be read is a finding; where the answer has to be about everything (`strict`), an error.
    `root` is the folder of all the code that may call it, where that is not the nearest with a pyproject.toml or .git.
    """
    # Here: reading a build's declaration needs no linter.
    from graphbus_core.analysis.links.findings import lint

    project = scan(path, include, exclude, strict=strict).with_whole_folder(root)
    return CheckedProject(project, link_project(project), lint(project), _warn_of_cut_off(project))


def judge_checked(checked_project: CheckedProject, settings: Settings, *, with_baseline: bool = True) -> Report:
    """The findings of a project against its comments, its settings and its baseline. Raises UsageError where the
    baseline that was named is not there."""
    from graphbus_core.analysis.links.findings import collect_findings, derive_prefix, iter_ignoring_sources

    texts = dict(iter_ignoring_sources(checked_project.project))
    baseline_file = settings.root / settings["baseline"]
    # Only where somebody named it: the usual name is simply used if it is there.
    if with_baseline and not baseline_file.is_file() and settings.find_source("baseline").startswith("--"):
        raise UsageError(f"There is no baseline {baseline_file}; `graphbus baseline` writes one.")
    project = checked_project.project
    all_findings = (
        *collect_findings(project, checked_project.linked, checked_project.disagreements),
        *_find_run_findings(project.agents, derive_prefix(project.root, project.whole), settings),
    )
    return judge_findings(all_findings, texts, texts.__getitem__, settings, with_baseline)


def judge_findings(
    findings: Iterable[Found],
    sources: Iterable[str],
    read: Callable[[str], str],
    settings: Settings,
    with_baseline: bool,
    unasked: frozenset[str] = frozenset(),
) -> Report:
    """Findings against the comments in these sources, what the settings ignore, and the baseline that they name.

    `unasked`: codes that nobody looked for now, so that nothing says whether the baseline still needs them.
    """
    from datetime import UTC, datetime

    from graphbus_core.findings import judge
    from graphbus_core.findings.suppressions import read_baseline, read_configured_ignores

    baseline_file = settings.root / settings["baseline"]
    baseline = read_baseline(baseline_file) if with_baseline and baseline_file.is_file() else None
    if baseline is not None:
        baseline = baseline.leave_out(unasked)
    return judge(
        findings,
        today=datetime.now(UTC).date(),
        sources=sources,
        read=read,
        ignores=read_configured_ignores(settings["ignore"], settings.find_source("ignore")),
        baseline=baseline,
    )


def judge_run(agents: Sequence[AgentDefinition], root: Path, settings: Settings) -> tuple[Found, ...]:
    """What of GB108 and GB111 counts: what a run of these agents would refuse, as `validate` judges it."""
    from graphbus_core.analysis.links.findings import derive_prefix

    prefix = derive_prefix(root)
    run_findings = [*_find_run_findings(agents, prefix, settings)]
    texts = {f.file: _read_source(root / f.file.removeprefix(prefix)) for f in run_findings}
    report = judge_findings(run_findings, texts, texts.__getitem__, settings, True)
    return tuple(finding for finding in report.counted if finding in run_findings)  # nobody asked what ignores silence


def _read_source(file: Path) -> str:
    """A source's text; empty where it is gone since the scan: its finding stands, and no comment silences it."""
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""


def _find_run_findings(agents: Sequence[AgentDefinition], prefix: str, settings: Settings) -> Iterator[Found]:
    """GB108: constructor arguments that no provider of the settings gives, a note, since a run may be given others.
    GB111: moves that are written out and that the policy's rules refuse."""
    from graphbus_core.findings import Finding as Made
    from graphbus_core.runtime.injection.static_checks import find_refusals, find_unprovided

    for missing in find_unprovided(agents, settings["provide"], settings.root):
        file, _, line = missing.where.rpartition(":")
        yield Made("GB108", f"{missing.node}: {missing.why}", f"{prefix}{file}", int(line), missing.node)
    if not settings["policy.rules"]:
        return
    from graphbus_core.runtime.injection.policy import Policy

    for refusal in find_refusals(agents, Policy(settings["policy.rules"])):
        file, _, line = refusal.where.rpartition(":")
        yield Made("GB111", refusal.why, f"{prefix}{file}", int(line), refusal.node)


def _warn_of_cut_off(project: Project) -> str | None:
    return warn_if_cut_off(".graphbus", project.root / ".graphbus")
