"""A whole project against an older state of it: which changes since then break whom, with the payload and both lines.

Findings are compared, not contracts alone: a change that nobody's data reaches breaks nobody here. `contracts diff`
tells those, for consumers that live elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from graphbus_core.analysis import contract_history
from graphbus_core.errors import NoAgentsError, ScanError, UsageError
from graphbus_core.findings import Finding, Related
from graphbus_core.findings.suppressions import Report
from graphbus_core.inference import InferredProject, infer
from graphbus_core.services.contract_diff.differences import parse_revision
from graphbus_core.services.inference.findings import judge_inferred
from graphbus_core.services.validation import check_project, judge_checked

if TYPE_CHECKING:
    from graphbus_core.settings.effective import Settings

# What silences findings is looked after by a run of the whole: a branch alone does not tell whether it is needed.
_WHOLE_PROJECT_CODES = frozenset({"GB901", "GB903"})
LINKS = ("GB101", "GB102")
Promises = Mapping[str, tuple[str, str, int]]  # method -> its contract in words, its file and its line


@dataclass(frozen=True)
class BranchState:
    """One state of a project: what counts in it, what its methods promise, and the links in it."""

    judged: Report
    inferred: bool
    promises: Promises
    links: frozenset[str]


@dataclass(frozen=True)
class BranchComparison:
    """What came since then, what is gone since then, and how many findings stand in both."""

    came: Report
    gone: tuple[Finding, ...]
    stayed: int
    changed: int  # contracts that differ


def compare_branch(path: str, against: str, settings: Settings, root: str | None = None) -> BranchComparison:
    """Hold a project against `git:REF`. Raises ContractError where there is no such revision."""
    if not Path(path).is_dir():
        raise UsageError(f"--against wants the folder of a project, and {path} is not one.")
    # A folder is taken as it stands; only what git knows needs a copy.
    if not against.startswith("git:") and Path(against).is_dir():
        return _compare_states(_read_state(path, settings, root), _read_state(against, settings, None), against)
    revision = parse_revision(against)
    # Resolved: the working tree may be reached over a link, and paths inside it must be told relative to the real
    # one.
    base = Path(path).resolve()
    top = _find_top(base)
    now = _read_state(path, settings, root)
    with contract_history.unpack_revision(str(top), revision) as copy:
        old_folder = copy / base.relative_to(top)
        # A project that is new has no past, so every finding is new. That is an answer and no error.
        before = (
            _build_empty_state(now)
            if not old_folder.is_dir()
            else _read_state_before(old_folder, copy, settings, revision)
        )
    return _compare_states(now, before, revision)


def _find_top(folder: Path) -> Path:
    """The working tree's root: callers of the agents stand anywhere in it."""
    return Path(contract_history.read_git(folder, "rev-parse", "--show-toplevel").decode().strip()).resolve()


def _read_state_before(old_folder: Path, copy: Path, settings: Settings, revision: str) -> BranchState:
    try:
        # What could not be read then may have been wrong then: such a state is nothing to hold another against.
        return _read_state(str(old_folder), settings, str(copy), strict=True)
    except ScanError as e:
        # The copy has a temporary name that means nothing to who reads the message.
        reason_text = str(e).replace(f"{copy}/", "")
        raise ScanError(
            f"The project at {revision} cannot be read, so nothing can be held against it: {reason_text}"
        ) from e


def _build_empty_state(now: BranchState) -> BranchState:
    return BranchState(Report(()), now.inferred, {}, frozenset())


def _read_state(path: str, settings: Settings, root: str | None, *, strict: bool = False) -> BranchState:
    """A folder as `validate` finds it; one without agents as `infer` does."""
    try:
        checked_project = check_project(
            path, list(settings["include"]) or None, list(settings["exclude"]) or None, root, strict=strict
        )
    except NoAgentsError:
        read = infer(path, among=settings.file_globs, types=True)
        # Calls and links are compared by name alone: lines move with every edit.
        links = frozenset(f"{link.producer} => {link.consumer}" for link in read.links)
        return BranchState(
            judge_inferred(read, settings, with_baseline=False), True, _list_inferred_promises(read), links
        )
    promises = {
        f"{agent.name}.{method.name}": (_render_contract(method), agent.source_file, method.lineno or 1)
        for agent in checked_project.project.agents
        for method in agent.methods
    }
    links = frozenset(data_link.id for data_link in checked_project.linked.links)
    return BranchState(judge_checked(checked_project, settings, with_baseline=False), False, promises, links)


def _render_contract(method: object) -> str:
    from graphbus_core.contracts.parsing.type_forms import annotation

    sides = (getattr(method, f"{side}_schema") for side in ("input", "output"))
    input_text, output_text = ("?" if side is None else annotation(side.json_schema) for side in sides)
    return f"{input_text} -> {output_text}"


def _list_inferred_promises(read: InferredProject) -> Promises:
    return {
        f"{component.name}.{method.name}": (str(method).removeprefix(method.name), method.file, method.line)
        for component in read.components
        for method in component.methods
    }


def _compare_states(now: BranchState, before: BranchState, revision: str) -> BranchComparison:
    # Read in two ways, every finding would seem new. Without promises before there was nothing to compare, which is
    # fine.
    if now.inferred != before.inferred and before.promises:
        agents_text = "has agents, and had none" if before.inferred else "has no agents any more, and had some"
        raise UsageError(
            f"The project {agents_text} at {revision}; the two states are read differently and cannot be compared."
        )
    changed = {
        name
        for name in {*now.promises, *before.promises}
        if now.promises.get(name, ("",))[0] != before.promises.get(name, ("",))[0]
    }
    # Counted: the same finding may stand twice, and one of the two may have gone.
    old = Counter(_build_key(finding) for finding in before.judged.counted)
    reasons = {reason for finding in before.judged.counted for reason in (_find_subject(finding), *finding.reasons)}
    came: list[Finding] = []
    for finding in now.judged.counted:
        is_known = old[_build_key(finding)] > 0
        old[_build_key(finding)] -= is_known
        # A link that was broken before may break worse. Same code and subject, but a reason that was not there.
        worse = finding.code in LINKS and not {_find_subject(finding), *finding.reasons} <= reasons
        if (not is_known or worse) and finding.code not in _WHOLE_PROJECT_CODES:
            came.append(_add_reasons(finding, list(_explain_finding(finding, changed, now, before, revision))))
    new = Counter(_build_key(finding) for finding in now.judged.counted)
    gone = []
    for finding in before.judged.counted:
        if new[_build_key(finding)] > 0:
            new[_build_key(finding)] -= 1
        elif finding.code not in _WHOLE_PROJECT_CODES:
            gone.append(finding)
    stayed = len(now.judged.counted) - len(came)
    return BranchComparison(replace(now.judged, counted=tuple(came)), tuple(gone), stayed, len(changed))


def _find_subject(finding: Finding) -> str:
    return finding.subject or finding.message


def _build_key(finding: Finding) -> tuple[str, str]:
    # Without the file: a move of a file is not a new finding.
    """The same finding in both states, also where its file was moved."""
    return finding.code, _find_subject(finding)


def _add_reasons(finding: Finding, why: list[tuple[str, Related | None]]) -> Finding:
    """The finding with the changes that made it."""
    related = (*finding.related, *(place for _, place in why if place is not None))
    return replace(finding, reasons=(*finding.reasons, *(text for text, _ in why)), related=related)


def _explain_finding(
    finding: Finding, changed: set[str], now: BranchState, before: BranchState, revision: str
) -> Iterator[tuple[str, Related | None]]:
    """The contracts at the finding's ends that are not what they were, each with where it stood."""
    has_reason = False
    for name in _find_methods(finding, now):
        if name not in changed:
            continue
        has_reason = True
        current, previous = now.promises.get(name), before.promises.get(name)
        if previous is None:
            yield f"{name} came since {revision}", None
        elif current is None:
            yield (
                f"{name} was removed since {revision}: it was {previous[0]}",
                Related(f"{name} at {revision}", previous[1], previous[2]),
            )
        else:
            yield (
                f"{name} was {previous[0]} at {revision}, and is {current[0]}",
                Related(f"{name} at {revision}", previous[1], previous[2]),
            )
    if not has_reason and finding.code in LINKS and _find_subject(finding) not in before.links:
        yield f"the link came since {revision}", None


def _find_methods(finding: Finding, state: BranchState) -> Iterable[str]:
    """The methods that a finding speaks of: the ends of its link, else those around its lines."""
    if " => " in finding.subject:
        return finding.subject.split(" => ")
    method_names: dict[str, None] = {}
    for file, line in [(finding.file, finding.line), *((r.file, r.line) for r in finding.related)]:
        # The nearest definition above the line, since findings inside a body name no method.
        above = [
            (def_line, name)
            for name, (_, where, def_line) in state.promises.items()
            if where == file and def_line <= line
        ]
        if above:
            method_names[max(above)[1]] = None
    return method_names
