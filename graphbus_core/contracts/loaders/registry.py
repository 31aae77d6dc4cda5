"""Published versions of contracts in a folder that git shows and merges well: one file a version, a digest in each.

HISTORY/orders/1.json   {"name": "orders", "version": 1, "digest": "sha256:…", "side": null, "schema": {…}}

What two sides agreed on (`graphbus agree`) is the same file with the consumer's schema in it, and who agreed:

HISTORY/prices/2.json   {…, "schema": {…}, "consumer_schema": {…}, "agreed_by": ["feed", "shop"]}

This is the one reader and the one writer of both.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import ContractError
from graphbus_core.storage.atomic_files import write_new

FOLDER = "contracts-history"
_NUMBER = re.compile("[0-9]{1,9}")  # `isdigit` is true of `²` as well
_FORM = frozenset({"name", "version", "digest", "schema"})
_AGREED = frozenset(
    {"contract", "version", "hash", "schema", "consumer_schema"}
)  # NAME.contract.json: the newest alone


@dataclass(frozen=True)
class PublishedVersion:
    """One published version. `taken` is what the consumer takes, where two sides agreed; else what is sent is meant."""

    name: str
    number: int
    schema: Any
    side: str | None = None
    taken: Any = None
    agreed_by: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """`orders@2`."""
        return f"{self.name}@{self.number}"

    @property
    def digest(self) -> str:
        """Of everything that it promises."""
        return compute_digest(self.schema if self.taken is None else [self.schema, self.taken])

    @property
    def consumer(self) -> Any:
        """What a consumer of this name takes."""
        return self.schema if self.taken is None else self.taken

    def render(self) -> str:
        """The file of it."""
        document = {"name": self.name, "version": self.number, "digest": self.digest, "side": self.side}
        document["schema"] = self.schema
        if self.taken is not None:
            document |= {"consumer_schema": self.taken, "agreed_by": list(self.agreed_by)}
        return json.dumps(document, indent=2, ensure_ascii=False, sort_keys=False) + "\n"


def compute_digest(schema: Any) -> str:
    """The digest of a schema, however its keys are ordered."""
    text = json.dumps(schema, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def make_folder_name(name: str) -> str:
    """A name as a folder: letters, digits, dots and dashes."""
    cleaned = "".join(c if c.isalnum() or c in "-_." else "-" for c in name).strip(".-")
    return cleaned or "contract"


def locate_file(history: Path, name: str, number: int) -> Path:
    """Where a version stands."""
    return history / make_folder_name(name) / f"{number}.json"


def read_versions(history: Path, name: str) -> list[PublishedVersion]:
    """The published versions of a contract, oldest first. Raises ContractError for a file that was altered."""
    folder = history / make_folder_name(name)
    files = sorted((f for f in folder.glob("*.json") if _NUMBER.fullmatch(f.stem)), key=lambda f: int(f.stem))
    published = [_read_version(file) for file in files]
    if published and published[-1].name != name and make_folder_name(published[-1].name) != name:
        raise ContractError(f"{folder} holds {published[-1].name}, not {name}: rename one of the two contracts.")
    return published


def list_names(history: Path) -> list[str]:
    """What is published in a history."""
    return sorted(f.name for f in history.iterdir() if f.is_dir()) if history.is_dir() else []


def is_version(document: Any) -> bool:
    """Whether a document is a published version, or the contract file of an agreement."""
    if not isinstance(document, Mapping) or "$schema" in document:
        return False
    return document.keys() >= _FORM or document.keys() >= _AGREED


def parse_version(document: Mapping[str, Any], file: str) -> PublishedVersion:
    """The version that a file holds. Raises ContractError where it is not as it was published."""
    if document.keys() >= _AGREED:
        return _build_agreed_version(document, document, document["schema"], document["consumer_schema"], file)
    try:
        version = PublishedVersion(
            document["name"],
            document["version"],
            document["schema"],
            document.get("side"),
            document.get("consumer_schema"),
            tuple(document.get("agreed_by", ())),
        )
        stated_digest = document["digest"]
    except (KeyError, TypeError) as e:
        raise ContractError(f"{file} is not a published version: {type(e).__name__}: {e}.") from None
    if version.digest != stated_digest:
        raise ContractError(f"{file} is not as it was published; its digest does not fit. Take it back from git.")
    return version


def _build_agreed_version(
    document: Mapping[str, Any], entry: Mapping[str, Any], sent_schema: Any, taken_schema: Any, file: str
) -> PublishedVersion:
    """One version of an agreement's contract file. Before 0.2 it carried no digest."""
    both = tuple(str(document.get(side, "")) for side in ("producer", "consumer"))
    version = PublishedVersion(str(document["contract"]), entry["version"], sent_schema, None, taken_schema, both)
    if entry.get("digest", version.digest) != version.digest:
        raise ContractError(f"{file} is not as it was agreed; its digest does not fit. Take it back from git.")
    return version


def read_agreed_version(file: Path, number: str) -> PublishedVersion:
    """`orders.contract.json@2`: a version out of the history of an agreement's file. Raises ContractError."""
    try:
        document = json.loads(file.read_bytes())
        history = {str(entry["version"]): entry for entry in document["history"]}
    except (OSError, ValueError, KeyError, TypeError):
        raise ContractError(f"{file} holds no versions; `@{number}` asks for one of an agreement's file.") from None
    entry = history.get(number.removeprefix("v"))
    if entry is None:
        raise ContractError(f"{file} has versions {', '.join(history)}, not {number!r}.")
    return _build_agreed_version(document, entry, entry["producer"], entry["consumer"], str(file))


def _read_version(file: Path) -> PublishedVersion:
    try:
        document = json.loads(file.read_bytes())
    except (OSError, ValueError) as e:
        raise ContractError(f"{file} is not a published version: {type(e).__name__}: {e}.") from None
    version = parse_version(document if isinstance(document, dict) else {}, str(file))
    if version.number != int(file.stem):
        raise ContractError(f"{file} says that it is version {version.number}. Take it back from git.")
    return version


def prepare_next_version(history: Path, name: str, schema: Any, side: str | None) -> PublishedVersion | None:
    """What is to be published; None where the newest version says the same."""
    before = read_versions(history, name)
    version = PublishedVersion(name, before[-1].number + 1 if before else 1, schema, side)
    return None if before and before[-1].digest == version.digest else version


def write_version(history: Path, version: PublishedVersion) -> None:
    """Put a version into the history; one that is there already stays. Raises ContractError where it is another."""
    file = locate_file(history, version.name, version.number)
    file.parent.mkdir(parents=True, exist_ok=True)
    if not write_new(file, version.render().encode("utf-8", "surrogatepass"), durable=True):
        existing = _read_version(file)
        if existing.digest != version.digest:
            raise ContractError(f"{file} holds another contract already. Publish again, or under another name.")


def find_version(history: Path, text: str) -> PublishedVersion:
    """`orders` (the newest) or `orders@2`. Raises ContractError with what there is."""
    name, _, number = text.partition("@")
    published = read_versions(history, name)
    if not published:
        available = ", ".join(list_names(history)[:10]) or "nothing"
        raise ContractError(
            f"{history} has no contract {name!r}; it has {available}. `graphbus contracts publish` adds one."
        )
    chosen = [v for v in published if not number or str(v.number) == number.removeprefix("v")]
    if not chosen:
        raise ContractError(f"{name} has versions {', '.join(str(v.number) for v in published)}, not {number!r}.")
    return chosen[-1]
