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

from graphbus_core.adopt import Inferred, infer
from graphbus_core.build import evolution
from graphbus_core.errors import NoAgentsError, ScanError, UsageError
from graphbus_core.findings import Finding, Related
from graphbus_core.findings.judged import Judged
from graphbus_core.workspace.compares.projects import revision_of
from graphbus_core.workspace.shows.declared import checked, judged
from graphbus_core.workspace.shows.inferred import judged_inferred

if TYPE_CHECKING:
    from graphbus_core.settings.effective import Settings

# What silences findings is looked after by a run of the whole: a branch alone does not tell whether it is needed.
_OF_A_WHOLE = frozenset({"GB901", "GB903"})
LINKS = ("GB101", "GB102")
Promised = Mapping[str, tuple[str, str, int]]  # method -> its contract in words, its file and its line


@dataclass(frozen=True)
class BranchState:
    """One state of a project: what counts in it, what its methods promise, and the links in it."""

    judged: Judged
    inferred: bool
    promises: Promised
    links: frozenset[str]


@dataclass(frozen=True)
class Branch:
    """What came since then, what is gone since then, and how many findings stand in both."""

    came: Judged
    gone: tuple[Finding, ...]
    stayed: int
    changed: int  # contracts that differ


def branch(path: str, against: str, settings: Settings, root: str | None = None) -> Branch:
    """Hold a project against `git:REF`. Raises ContractError where there is no such revision."""
    if not Path(path).is_dir():
        raise UsageError(f"--against wants the folder of a project, and {path} is not one.")
    # A folder is taken as it stands; only what git knows needs a copy.
    if not against.startswith("git:") and Path(against).is_dir():
        return _compared(_state(path, settings, root), _state(against, settings, None), against)
    revision = revision_of(against)
    # Resolved: the working tree may be reached over a link, and paths inside it must be told relative to the real
    # one.
    base = Path(path).resolve()
    top = _top(base)
    now = _state(path, settings, root)
    with evolution.at_revision(str(top), revision) as copy:
        there = copy / base.relative_to(top)
        # A project that is new has no past, so every finding is new. That is an answer and no error.
        before = _nothing(now) if not there.is_dir() else _before(there, copy, settings, revision)
    return _compared(now, before, revision)


def _top(folder: Path) -> Path:
    """The working tree's root: callers of the agents stand anywhere in it."""
    return Path(evolution.git(folder, "rev-parse", "--show-toplevel").decode().strip()).resolve()


def _before(there: Path, copy: Path, settings: Settings, revision: str) -> BranchState:
    try:
        return _state(str(there), settings, str(copy))
    except ScanError as e:
        # The copy has a temporary name that means nothing to who reads the message.
        said = str(e).replace(f"{copy}/", "")
        raise ScanError(f"The project at {revision} cannot be read, so nothing can be held against it: {said}") from e


def _nothing(now: BranchState) -> BranchState:
    return BranchState(Judged(()), now.inferred, {}, frozenset())


def _state(path: str, settings: Settings, root: str | None) -> BranchState:
    """A folder as `validate` finds it; one without agents as `infer` does."""
    try:
        found = checked(path, list(settings["include"]) or None, list(settings["exclude"]) or None, root)
    except NoAgentsError:
        read = infer(path, among=settings.among)
        # Calls and links are compared by name alone: lines move with every edit.
        links = frozenset(f"{link.producer} => {link.consumer}" for link in read.links)
        return BranchState(judged_inferred(read, settings, with_baseline=False), True, _inferred(read), links)
    promises = {
        f"{agent.name}.{method.name}": (_words(method), agent.source_file, method.lineno or 1)
        for agent in found.project.agents
        for method in agent.methods
    }
    links = frozenset(one.id for one in found.linked.links)
    return BranchState(judged(found, settings, with_baseline=False), False, promises, links)


def _words(method: object) -> str:
    from graphbus_core.contracts.reading.wording import annotation

    sides = (getattr(method, f"{side}_schema") for side in ("input", "output"))
    taken, given = ("?" if side is None else annotation(side.json_schema) for side in sides)
    return f"{taken} -> {given}"


def _inferred(read: Inferred) -> Promised:
    return {
        f"{one.name}.{method.name}": (str(method).removeprefix(method.name), method.file, method.line)
        for one in read.components
        for method in one.methods
    }


def _compared(now: BranchState, before: BranchState, at: str) -> Branch:
    # Read in two ways, every finding would seem new. Without promises before there was nothing to compare, which is
    # fine.
    if now.inferred != before.inferred and before.promises:
        at_ = "has agents, and had none" if before.inferred else "has no agents any more, and had some"
        raise UsageError(f"The project {at_} at {at}; the two states are read differently and cannot be compared.")
    changed = {
        name
        for name in {*now.promises, *before.promises}
        if now.promises.get(name, ("",))[0] != before.promises.get(name, ("",))[0]
    }
    # Counted: the same finding may stand twice, and one of the two may have gone.
    old = Counter(_key(one) for one in before.judged.counted)
    reasons = {reason for one in before.judged.counted for reason in (_subject(one), *one.reasons)}
    came: list[Finding] = []
    for one in now.judged.counted:
        known = old[_key(one)] > 0
        old[_key(one)] -= known
        # A link that was broken before may break worse. Same code and subject, but a reason that was not there.
        worse = one.code in LINKS and not {_subject(one), *one.reasons} <= reasons
        if (not known or worse) and one.code not in _OF_A_WHOLE:
            came.append(_with(one, list(_why(one, changed, now, before, at))))
    new = Counter(_key(one) for one in now.judged.counted)
    gone = []
    for one in before.judged.counted:
        if new[_key(one)] > 0:
            new[_key(one)] -= 1
        elif one.code not in _OF_A_WHOLE:
            gone.append(one)
    stayed = len(now.judged.counted) - len(came)
    return Branch(replace(now.judged, counted=tuple(came)), tuple(gone), stayed, len(changed))


def _subject(one: Finding) -> str:
    return one.subject or one.message


def _key(one: Finding) -> tuple[str, str]:
    # Without the file: a move of a file is not a new finding.
    """The same finding in both states, also where its file was moved."""
    return one.code, _subject(one)


def _with(one: Finding, why: list[tuple[str, Related | None]]) -> Finding:
    """The finding with the changes that made it."""
    related = (*one.related, *(place for _, place in why if place is not None))
    return replace(one, reasons=(*one.reasons, *(text for text, _ in why)), related=related)


def _why(
    one: Finding, changed: set[str], now: BranchState, before: BranchState, at: str
) -> Iterator[tuple[str, Related | None]]:
    """The contracts at the finding's ends that are not what they were, each with where it stood."""
    told = False
    for name in _methods_at(one, now):
        if name not in changed:
            continue
        told = True
        is_, was = now.promises.get(name), before.promises.get(name)
        if was is None:
            yield f"{name} came since {at}", None
        elif is_ is None:
            yield f"{name} was removed since {at}: it was {was[0]}", Related(f"{name} at {at}", was[1], was[2])
        else:
            yield f"{name} was {was[0]} at {at}, and is {is_[0]}", Related(f"{name} at {at}", was[1], was[2])
    if not told and one.code in LINKS and _subject(one) not in before.links:
        yield f"the link came since {at}", None


def _methods_at(one: Finding, state: BranchState) -> Iterable[str]:
    """The methods that a finding speaks of: the ends of its link, else those around its lines."""
    if " => " in one.subject:
        return one.subject.split(" => ")
    found: dict[str, None] = {}
    for file, line in [(one.file, one.line), *((r.file, r.line) for r in one.related)]:
        # The nearest definition above the line, since findings inside a body name no method.
        above = [(at, name) for name, (_, where, at) in state.promises.items() if where == file and at <= line]
        if above:
            found[max(above)[1]] = None
    return found
