"""A seat lands: nothing is open with anybody, the proof holds, and both are still so at the moment the branch moves."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from graphbus_core.commit.landing.land import Lander, Landing, LandingRequest
from graphbus_core.commit.landing.proof import Inspect
from graphbus_core.commit.landing.repository import Repository
from graphbus_core.errors import UsageError
from graphbus_core.negotiation.team.events import PromiseBroken
from graphbus_core.negotiation.team.plan import REMOVE, Change
from graphbus_core.negotiation.team.protocol import find_landing_obstacles
from graphbus_core.negotiation.team.state import Seat, State
from graphbus_core.sessions.team.table import TeamTable
from graphbus_core.sessions.team.worktrees import Diff, list_worktrees
from graphbus_core.storage.git import run_git

LANDING_TREE = "landing"


def find_obstacles(table: TeamTable, state: State, seat: Seat, diff: Diff | None) -> list[str]:
    """Why a seat may not land now, each with what to do; under the lock, after a refresh."""
    obstacles = find_landing_obstacles(state, seat.name)
    obstacles += find_unkept_decisions(state, seat, seat.observed)
    worktree = Path(seat.worktree)
    if diff is not None and worktree.is_dir() and _is_dirty(worktree):
        obstacles.append(f"Tracked files in {worktree} differ from what is committed. Commit them, then land.")
    if diff is not None and not diff.base:
        obstacles.append(diff.note)
    return obstacles


def find_unkept_decisions(state: State, seat: Seat, landed: Sequence[Change]) -> Iterator[str]:
    """What was settled of an order or a name, and the branch has otherwise."""
    for question in state.list_questions(seat.name, is_open=False):
        effect = question.decision.get("effect", {})
        name = effect.get("name")
        if name and effect.get("owner") == seat.name:
            given = next((c.to for c in landed if c.symbol == question.about and c.kind == "rename"), name)
            if given != name:
                yield f"{question.id}: you settled on the name {name}, and your branch says {given}."


def _is_dirty(worktree: Path) -> bool:
    return bool(run_git(worktree, "status", "--porcelain", "--untracked-files=no").stdout.strip())


class TeamLander:
    """Lands one seat's branch on the branch of the team."""

    def __init__(
        self,
        table: TeamTable,
        seat: Seat,
        request: LandingRequest,
        report: Callable[[str], None] = lambda text: None,
        inspect: Inspect | None = None,
        stop: threading.Event | None = None,
    ) -> None:
        self.table, self.seat, self.request = table, seat, request
        self.report, self.inspect, self.stop = report, inspect, stop
        self.notes: list[str] = []

    def land(self) -> Landing:
        """What became of it. Raises UsageError where nothing was tried, Locked."""
        with self.table.hold() as state:
            self._check(state)
            base = state.base
        with self._open_base(base) as repository:
            lander = Lander(repository, self.request, self.report, self.inspect, self.stop, guard=self._guard)
            landing = lander.land_all()[0]
            self.notes += lander.notes
        return landing

    def _check(self, state: State) -> None:
        diffs = self.table.refresh(state, self.seat.name)
        obstacles = find_obstacles(self.table, state, state.seats[self.seat.name], diffs.get(self.seat.name))
        if obstacles:
            raise UsageError("Nothing was landed. " + " ".join(obstacles))

    @contextmanager
    def _guard(self, commit: str, tip: str) -> Iterator[None]:
        """Around the moment in which the branch moves: looked at once more, and written down before anybody else."""
        with self.table.hold() as state:
            self._check(state)
            seat = state.seats[self.seat.name]
            if seat.tip != tip:
                raise UsageError(f"Nothing was landed. {seat.branch} moved while it was proved; land again.")
            tree = self.table.repository.read_tree(tip)
            landed = tuple(change for change in seat.observed if change.file in tree or change.kind == REMOVE)
            yield
            changes = [change.to_dict() for change in landed]
            said = self.table.submit(seat.name, "land", commit=commit, tip=tip, changes=changes)
            self.table.write_mark(seat.name, digest="")
            broken = [fact for fact in said if isinstance(fact, PromiseBroken)]
            self.notes += [f"Not in it, though you had said so{_name(fact.to)}: {fact.promise}." for fact in broken]

    @contextmanager
    def _open_base(self, base: str) -> Iterator[Repository]:
        """The working tree that has the branch of the team checked out; one of our own where nobody has."""
        for path, branch in list_worktrees(self.table.repository).items():
            if branch == base and Path(path).is_dir():
                yield Repository(Path(path))
                return
        folder = self.table.folder / LANDING_TREE
        repository = self.table.repository
        repository.run("worktree", "prune")
        repository.run("worktree", "add", "--force", str(folder), base)
        try:
            yield Repository(folder)
        finally:
            repository.run("worktree", "remove", "--force", str(folder))


def _name(to: tuple[str, ...]) -> str:
    return f" (told to {', '.join(to)})" if to else ""
