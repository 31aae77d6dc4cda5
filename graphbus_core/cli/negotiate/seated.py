"""Who acts in a command of `graphbus negotiate`: a seat with its token, or a name."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from graphbus_core.errors import ConfigError
from graphbus_core.workspace.tables import NegotiationDirectory


def opened(directory: Path, seat: Path | None = None, name: str = "") -> tuple[NegotiationDirectory, str]:
    """The negotiation, and who acts: the seat's name where a seat file is given. Raises ConfigError where it is of
    another table or another name."""
    where = NegotiationDirectory(directory)
    if seat is None:
        return where, name
    from graphbus_core.files.seat import read

    mine = read(seat)
    if os.path.realpath(mine.root) != os.path.realpath(where.root):
        raise ConfigError(f"{seat} is a seat in {mine.root}, not in {where.root}.")
    if name and name != mine.name:
        raise ConfigError(f"{seat} is the seat of {mine.name}, not of {name}.")
    where.token = mine.token
    return where, mine.name


def by_names(trust: str) -> bool:
    if trust not in ("", "names", "tokens"):
        raise ConfigError(f"--trust is `names` or `tokens`, not {trust!r}.")
    return trust == "names"


def keeper(where: NegotiationDirectory, token: str, given: Path | None) -> Callable[[str], None]:
    """What puts a seat's token in its file, once the seat is granted and before it is taken: a kill between the two
    leaves a file without a seat, and not a seat that nobody can act for."""

    def keep(name: str) -> None:
        from graphbus_core.files import seat as seats

        if token:
            path = given or seats.usual_place(where.root, name)
            seats.keep(path, seats.Seat(str(where.root), name, token))

    return keep


def seat_file(where: NegotiationDirectory, name: str, token: str, given: Path | None, resumed: bool) -> str:
    """Where the seat's token lies, "" for a seat by name."""
    from graphbus_core.files import seat as seats

    path = given or seats.usual_place(where.root, name)
    return str(path) if (path.exists() if resumed else bool(token)) else ""
