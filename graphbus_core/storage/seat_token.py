"""Who acts is who sits (design §9): a seat's token, kept in a file of its own, never in the negotiation's directory.

The log holds a digest of the token. Seats of other scripts have none: they act by name, and the log says so. This stops
mistakes, such as two agents under one name; it does not stop a hostile process of the same user, which can read the
file.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from graphbus_core.errors import ConfigError

TOKEN_BYTES = 24


@dataclass(frozen=True, slots=True)
class Seat:
    """A name at one table, with the token that proves it."""

    root: str
    name: str
    token: str


def compute_digest(token: str) -> str:
    """What the log holds of a token; "" for none."""
    return hashlib.blake2b(token.encode(), digest_size=16).hexdigest() if token else ""


def make_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def locate_seat_file(root: Path, name: str) -> Path:
    """Where a seat's file is put unless another place is named: beside the user's other state, by directory and
    name."""
    base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    key = hashlib.blake2b(str(root).encode(errors="replace"), digest_size=6).hexdigest()
    return Path(base) / "graphbus" / "seats" / f"{key}-{name}.json"


def write_seat(path: Path, seat: Seat) -> None:
    """Write the file for its owner alone. Raises ConfigError inside the negotiation's directory, OSError."""
    path = Path(os.path.abspath(path))
    # Through links: a directory that everybody reads may be reached by a name that does not say so.
    if Path(os.path.realpath(path)).is_relative_to(os.path.realpath(seat.root)):
        raise ConfigError(f"{path} is in the negotiation's directory, where all can read it; give another --seat FILE.")
    if path.exists():
        existing = read_seat(path)
        if (os.path.realpath(existing.root), existing.name) != (os.path.realpath(seat.root), seat.name):
            raise ConfigError(f"{path} holds the seat of {existing.name} in {existing.root}; give another --seat FILE.")
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    # Private from its first byte, and never through a link that somebody put there: a later `chmod` comes too late.
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with open(descriptor, "w", encoding="utf-8") as out:
        json.dump({"dir": seat.root, "name": seat.name, "token": seat.token}, out)
        out.write("\n")


def read_seat(path: Path) -> Seat:
    """The seat that a file holds. Raises ConfigError where it holds none."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Seat(str(data["dir"]), str(data["name"]), str(data["token"]))
    except OSError as e:
        raise ConfigError(
            f"{path} cannot be read: {e.strerror or e}. Give the --seat FILE that `start` named."
        ) from None
    except (ValueError, KeyError, TypeError):
        raise ConfigError(f"{path} holds no seat. Give the --seat FILE that `start` named.") from None
