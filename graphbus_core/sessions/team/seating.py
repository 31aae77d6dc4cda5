"""A team begins, and seats are taken: each with its branch and, where it wants one, a working tree of its own."""

from __future__ import annotations

import re
import time
from contextlib import suppress
from pathlib import Path

from graphbus_core.errors import UsageError
from graphbus_core.negotiation.team.state import State
from graphbus_core.sessions.team.table import LEASE_S, LOG, TeamTable
from graphbus_core.sessions.team.worktrees import find_tip, list_worktrees
from graphbus_core.storage.atomic_files import put_aside

MAX_TASK = 20_000  # characters of one task
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


def start_team(table: TeamTable, tasks: dict[str, str], onto: str | None = None, lease_s: float = LEASE_S) -> State:
    """Begin a team. One whose seats all left is put aside. Raises UsageError where there is one already."""
    if not 1 <= lease_s <= 30 * 86_400:
        raise UsageError("A lease lasts between a second and thirty days.")
    too_long = [name for name, text in tasks.items() if len(text) > MAX_TASK]
    if too_long:
        raise UsageError(f"The task {too_long[0]} is longer than {MAX_TASK} characters. Give each seat a smaller one.")
    base = onto or list_worktrees(table.repository).get(str(table.repository.root), "")
    if not base:
        raise UsageError("No branch is checked out here. `git switch` to the branch that all land on, or give --onto.")
    if find_tip(table.repository, base) is None:
        raise UsageError(f"There is no branch {base!r} here. `git branch --all` lists them.")
    if table.exists and (state := _read_or_none(table)) is not None:
        if any(seat.status != "left" for seat in state.seats.values()) or not state.seats:
            names = ", ".join(state.seats) or "nobody yet"
            raise UsageError(
                f"There is a team here already, on {state.base}: {names}. `graphbus team end` puts it aside."
            )
        end_team(table)
    with table.hold(make=True):
        listed = [{"name": name, "text": text} for name, text in tasks.items()]
        table.submit("", "open", base=base, lease_s=lease_s, tasks=listed)
    return table.read_state()


def _read_or_none(table: TeamTable) -> State | None:
    try:
        return table.read_state()
    except UsageError:
        return None


def end_team(table: TeamTable) -> Path:
    """Put the log of a team aside, whoever sits there; gives where it is now. Branches and files stay as they are."""
    with table.hold():
        pass  # nobody is in the middle of a move
    target = table.folder / f"log-{int(time.time())}.jsonl"
    put_aside(table.log_path, target)
    for file in table.folder.glob("mark-*.json"):
        file.unlink(missing_ok=True)
    with suppress(FileNotFoundError):
        (table.folder / f"{LOG}.head").unlink()
    return target


def take_seat(table: TeamTable, name: str, worktree: str | None = None) -> tuple[str, str]:
    """Take a seat on this working tree, or on a new one; gives its branch and working tree. Raises UsageError.

    `worktree`: a folder for a new one, "" for one beside the repository."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"The name of a seat is not {name!r}: it has lower-case letters, digits, - and _, 32 at most.")
    repository = table.repository
    with table.hold() as state:
        seat = state.seats.get(name)
        if seat is not None and seat.status != "left" and worktree is not None and Path(seat.worktree).is_dir():
            raise UsageError(f"{name} sits in {seat.worktree} already. Go on there: `graphbus team turn`.")
        if worktree is None:
            folder, branch = repository.root, list_worktrees(repository).get(str(repository.root), "")
            if not branch:
                raise UsageError("No branch is checked out here. Join with --worktree, or `git switch` to a branch.")
        else:
            folder, branch = _make_worktree(table, state, name, worktree)
        tip = find_tip(repository, branch) or ""
        if seat is not None and seat.status != "left":
            return seat.branch, seat.worktree  # its working tree was made again
        table.submit(name, "join", branch=branch, worktree=str(folder), start=tip)
        table.write_mark(name, facts=0, seen_at=table.clock(), digest="")
    return branch, str(folder)


def _make_worktree(table: TeamTable, state: State, name: str, where: str) -> tuple[Path, str]:
    repository, branch = table.repository, f"team/{name}"
    main = Path(next(iter(list_worktrees(repository))))
    folder = Path(where).absolute() if where else main.parent / f"{main.name}-{name}"
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there already. Give another folder: --worktree FOLDER.")
    repository.run("worktree", "prune")
    words = [branch] if find_tip(repository, branch) else ["-b", branch]
    start = [] if find_tip(repository, branch) else [state.base]
    add = ["worktree", "add", "--quiet", *([*words, str(folder), *start] if start else [str(folder), branch])]
    try:
        repository.run(*add)
    except OSError as e:
        raise UsageError(f"No working tree could be made: {e}. Give another name or folder.") from None
    return folder.resolve(), branch
