"""Published versions of contracts in a folder that git shows and merges well: one file a version, a digest in each.

HISTORY/orders/1.json   {"name": "orders", "version": 1, "digest": "sha256:…", "schema": {…}}
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import ContractError

FOLDER = "contracts-history"


@dataclass(frozen=True)
class Version:
    """One published version."""

    name: str
    number: int
    schema: Any
    digest: str
    side: str | None = None

    def text(self) -> str:
        """The file of it."""
        told = {
            "name": self.name,
            "version": self.number,
            "digest": self.digest,
            "side": self.side,
            "schema": self.schema,
        }
        return json.dumps(told, indent=2, ensure_ascii=False, sort_keys=False) + "\n"


def digest(schema: Any) -> str:
    """The digest of a schema, however its keys are ordered."""
    text = json.dumps(schema, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def folder_name(name: str) -> str:
    """A name as a folder: letters, digits, dots and dashes."""
    made = "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip(".-")
    return made or "contract"


def versions(history: Path, name: str) -> list[Version]:
    """The published versions of a contract, oldest first. Raises ContractError for a file that was altered."""
    folder = history / folder_name(name)
    files = sorted((f for f in folder.glob("*.json") if f.stem.isdigit()), key=lambda f: int(f.stem))
    return [_read(file) for file in files]


def names(history: Path) -> list[str]:
    """What is published in a history."""
    return sorted(f.name for f in history.iterdir() if f.is_dir()) if history.is_dir() else []


def _read(file: Path) -> Version:
    try:
        told = json.loads(file.read_bytes())
        made = Version(told["name"], told["version"], told["schema"], told["digest"], told.get("side"))
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise ContractError(f"{file} is no published version: {type(e).__name__}: {e}.") from None
    if digest(made.schema) != made.digest or made.number != int(file.stem):
        raise ContractError(f"{file} is not as it was published; its digest does not fit. Take it back from git.")
    return made


def next_version(history: Path, name: str, schema: Any, side: str | None) -> Version | None:
    """What is to be published; None where the newest version says the same."""
    before = versions(history, name)
    now = digest(schema)
    if before and before[-1].digest == now:
        return None
    return Version(name, before[-1].number + 1 if before else 1, schema, now, side)


def wanted(history: Path, text: str) -> Version:
    """`orders` (the newest) or `orders@2`. Raises ContractError with what there is."""
    name, _, number = text.partition("@")
    found = versions(history, name)
    if not found:
        there = ", ".join(names(history)[:10]) or "nothing"
        raise ContractError(
            f"{history} has no contract {name!r}; it has {there}. `graphbus contracts publish` adds one."
        )
    chosen = [v for v in found if not number or str(v.number) == number.removeprefix("v")]
    if not chosen:
        raise ContractError(f"{name} has versions {', '.join(str(v.number) for v in found)}, not {number!r}.")
    return chosen[-1]
