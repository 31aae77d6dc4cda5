"""`NAME.contract.json`: what two repositories agreed on, every version with both signatures, and what is on the table.

Pure: a document is read into nouns, or refused with a sentence. Each version has a chain hash that covers the version
before it, so one hash in a lock pins all of the history up to there. Files of before signatures stay readable; their
versions are signed by name.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.contracts import Verdict, check
from graphbus_core.contracts.loaders.registry import compute_digest
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.errors import ContractError

SIDES = ("producer", "consumer")
SUFFIX = ".contract.json"


@dataclass(frozen=True)
class AgreedVersion:
    """One version that both signed. `signatures` are empty in files of before there were any."""

    number: int
    hash: str
    schemas: Mapping[str, Any]  # side -> its contract
    signatures: tuple[Mapping[str, Any], ...]
    chain: str  # of this version and all before it


@dataclass(frozen=True)
class Proposal:
    """What is on the table after the last version, and who signed it so far."""

    number: int
    hash: str
    schemas: Mapping[str, Any]  # one side may be missing, where nothing was agreed yet
    signed_by: tuple[str, ...]

    def list_changed(self, before: AgreedVersion | None) -> list[str]:
        """The sides whose contract is another than in the last version."""
        return [side for side in self.schemas if before is None or self.schemas[side] != before.schemas[side]]


@dataclass(frozen=True)
class SharedContract:
    """The contract file of one interface."""

    name: str
    parties: Mapping[str, str]
    versions: tuple[AgreedVersion, ...]
    proposal: Proposal | None = None
    allowing: frozenset[str] = field(default_factory=frozenset)  # sides that let rules sign what fits

    def find_version(self, number: int | None, file: str) -> AgreedVersion:
        """A version by its number, or the newest. Raises ContractError."""
        if not self.versions:
            signed = " and ".join(self.proposal.signed_by) if self.proposal is not None else ""
            on_table = f" Only the {signed} signed what is on the table." if signed else ""
            raise ContractError(f"{file}: {self.name} has no version that both sides signed.{on_table}")
        if number is None:
            return self.versions[-1]
        if not 1 <= number <= len(self.versions):
            raise ContractError(f"{file} has versions 1 to {len(self.versions)} of {self.name}, not {number}.")
        return self.versions[number - 1]


def check_exchange(sent: Any, taken: Any) -> Verdict:
    """Whether all that is sent by one contract is taken by another.

    A producer sends what it declares and nothing else. What the consumer wrote is read as it stands: a schema that
    forbids other fields means it, and a `format` counts. Raises ContractError.
    """
    producer = sent if isinstance(sent, Contract) else Contract.from_json_schema(sent)
    consumer = taken if isinstance(taken, Contract) else Contract.from_json_schema(taken)
    fits = check(producer, consumer, formats=True)  # JSON goes between two repositories
    if fits.compatible is not True:
        return fits
    return check(producer.closed, consumer.to_json_schema(), formats=True)


def compute_pair_hash(name: str, tables: Mapping[str, tuple[int, Any]]) -> str:
    """The hash of a pair of contracts, in which side and number of each are counted."""
    contracts = [[side, *tables[side]] for side in SIDES]
    text = json.dumps([name, *contracts], sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=8).hexdigest()


def compute_chain(before: str, name: str, parties: Mapping[str, str], entry: Mapping[str, Any]) -> str:
    """The hash of a version and of all before it."""
    who = [parties.get(side, "") for side in SIDES]
    parts = [before, name, who, entry["version"], entry["producer"], entry["consumer"], entry.get("signatures", [])]
    return compute_digest(parts)


def parse_contract_file(data: bytes, file: str) -> tuple[SharedContract, dict[str, Any]]:
    """The contract in a file, and the document itself. Raises ContractError with a sentence for whatever is wrong."""
    try:
        document = json.loads(data)
    except ValueError as e:
        raise ContractError(f"{file} is not a contract file: {e}. A merge may have left its marks in it.") from None
    if not isinstance(document, dict) or not isinstance(document.get("contract"), str):
        raise ContractError(f"{file} is not a contract file: `graphbus agree` writes NAME{SUFFIX}.")
    try:
        return _read_contract(document, file), document
    except (KeyError, TypeError, AttributeError, ValueError) as e:
        raise ContractError(
            f"{file} is not as it was agreed: {type(e).__name__}: {e}. Take it back from git."
        ) from None


def _read_contract(document: dict[str, Any], file: str) -> SharedContract:
    name, parties = document["contract"], {side: str(document.get(side, "")) for side in SIDES}
    versions: list[AgreedVersion] = []
    for entry in _list_history(document):
        chain = compute_chain(versions[-1].chain if versions else "", name, parties, entry)
        versions.append(_read_version(name, entry, chain, len(versions) + 1, file))
    if document.get("version", 0) != len(versions):
        raise ContractError(
            f"{file} says version {document.get('version')} and holds {len(versions)}. Take it back from git."
        )
    if versions and [document["schema"], document["consumer_schema"]] != [versions[-1].schemas[s] for s in SIDES]:
        raise ContractError(f"{file} is not as it was agreed; its digest does not fit. Take it back from git.")
    proposed = document.get("proposed")
    proposal = _read_proposal(name, proposed, len(versions) + 1, file) if proposed else None
    allowing = frozenset(side for side in document.get("allowing", ()) if side in SIDES)
    return SharedContract(name, parties, tuple(versions), proposal, allowing)


def _list_history(document: dict[str, Any]) -> list[dict[str, Any]]:
    if "history" in document:
        return list(document["history"])
    if "schema" not in document:
        return []
    sides = {"producer": document["schema"], "consumer": document["consumer_schema"]}
    return [{**sides, "version": document["version"], "hash": document["hash"]}]


def _read_version(name: str, entry: dict[str, Any], chain: str, number: int, file: str) -> AgreedVersion:
    if entry["version"] != number:
        more = "is signed twice" if entry["version"] < number else f"stands where {number} is missing"
        raise ContractError(
            f"{file}: version {entry['version']} of {name} {more}. Two branches went on from one version: take one of "
            "them back from git, and table the other anew."
        )
    schemas = {side: entry[side] for side in SIDES}
    if entry.get("digest", "") not in ("", compute_digest([schemas[side] for side in SIDES])):
        raise ContractError(f"{file} is not as it was agreed; its digest does not fit. Take it back from git.")
    signatures = tuple(entry.get("signatures", ()))
    if "tables" in entry:
        tables = {side: (entry["tables"][side], schemas[side]) for side in SIDES}
        missing = [side for side in SIDES if side not in {s["side"] for s in signatures}]
        if missing:
            raise ContractError(f"{file}: the {missing[0]} did not sign version {number} of {name}. Nothing is agreed.")
        if {compute_pair_hash(name, tables), entry["hash"]} != {s["hash"] for s in signatures}:
            raise ContractError(
                f"{file}: a signature of version {number} of {name} is of another pair. Take it back from git."
            )
    return AgreedVersion(number, entry["hash"], schemas, signatures, chain)


def _read_proposal(name: str, entry: dict[str, Any], number: int, file: str) -> Proposal:
    if entry["version"] != number:
        raise ContractError(
            f"{file} proposes version {entry['version']} of {name}, and {number} comes next: it was made from another "
            "version. Table it anew."
        )
    schemas = {side: entry[side] for side in SIDES if side in entry}
    if len(schemas) == len(SIDES):
        tables = {side: (entry["tables"][side], schemas[side]) for side in SIDES}
        if compute_pair_hash(name, tables) != entry["hash"]:
            raise ContractError(f"{file}: what is proposed is not what its hash says. Take it back from git.")
    return Proposal(number, entry["hash"], schemas, tuple(s["side"] for s in entry.get("signatures", ())))
