"""What is deployed where, as a file in git, and whether a version may be deployed beside it.

One line a deployment; the last line of a party in an environment counts. Nothing recorded is not a yes: who knows that
a side is not there yet records that.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import ContractError, UsageError
from graphbus_core.services.contract_sharing.evidence import Row
from graphbus_core.services.contract_sharing.pins import LOCK, Pin, read_lock
from graphbus_core.services.contract_sharing.repositories import (
    read_file_beside,
    read_peer,
    read_peer_file,
    read_sightings,
)
from graphbus_core.services.contract_sharing.verification import PinReport, find_rewrite
from graphbus_core.sessions.contract_file import SIDES, SharedContract, check_exchange
from graphbus_core.storage.atomic_files import append, open_lines

FILE = "deployments.jsonl"


@dataclass(frozen=True)
class Deployment:
    """One side of a contract in an environment. `version` 0: this side is not there."""

    environment: str
    contract: str
    side: str
    version: int
    hash: str
    date: str


def record_deployments(folder: Path, file: Path, environment: str, date: str) -> list[Deployment]:
    """Write that what is pinned is deployed now. Raises UsageError where nothing is pinned."""
    pins = read_lock(folder)
    if not pins:
        raise UsageError(f"{folder / LOCK} pins nothing. `graphbus contracts pin` says what this repository holds to.")
    deployed = [Deployment(environment, pin.name, pin.side, pin.version, pin.hash, date) for pin in pins]
    _append_lines(file, deployed)
    return deployed


def record_absence(file: Path, environment: str, contract: str, side: str, date: str) -> list[Deployment]:
    """Write that a side is not in an environment."""
    deployed = [Deployment(environment, contract, side, 0, "", date)]
    _append_lines(file, deployed)
    return deployed


def _append_lines(file: Path, deployed: Sequence[Deployment]) -> None:
    read_deployments(file.read_bytes() if file.is_file() else b"", str(file))  # a damaged file grows no further
    descriptor = open_lines(file)
    with open(descriptor, "rb"):
        text = "".join(json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in deployed)
        append(descriptor, text.encode(), durable=True)


def read_deployments(data: bytes, place: str) -> list[Deployment]:
    """The lines of a record. Raises ContractError for a line of another form."""
    deployed: list[Deployment] = []
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        if not line.strip():
            continue
        try:
            one = Deployment(**json.loads(line))
            is_right = one.side in SIDES and isinstance(one.version, int) and isinstance(one.environment, str)
        except (ValueError, TypeError):
            is_right = False
        if not is_right:
            raise ContractError(f"{place}, line {number}, records no deployment. Take it back from git.")
        deployed.append(one)
    return deployed


def can_deploy(folder: Path, environment: str, files: Sequence[Path], *, fetch: bool = True) -> list[PinReport]:
    """Whether what is pinned here fits the other side that runs in an environment. Raises ContractError, UsageError.

    The records of both repositories count, the one beside the contract, and the files that are given."""
    pins = read_lock(folder)
    if not pins:
        raise UsageError(f"{folder / LOCK} pins nothing. `graphbus contracts pin` says what this repository holds to.")
    return [PinReport(pin, tuple(_ask_pin(pin, folder, environment, files, fetch))) for pin in pins]


def _ask_pin(pin: Pin, folder: Path, environment: str, files: Sequence[Path], fetch: bool) -> Iterator[Row]:
    try:
        contract = read_sightings(pin, folder, fetch=fetch)[0].contract
        if (rewritten := find_rewrite(pin, contract)) is not None:
            yield Row("breaks", rewritten)
            return
        other = SIDES[1 - SIDES.index(pin.side)]
        recorded = _collect_deployments(pin, folder, files, fetch)
    except ContractError as e:
        yield Row("breaks", str(e))
        return
    theirs = [one for one in recorded if (one.environment, one.contract, one.side) == (environment, pin.name, other)]
    if not theirs:
        yield Row(
            "unknown",
            f"nobody recorded which {pin.name} the {other} has in {environment}. There: `graphbus contracts "
            f"record-deployment {environment}`; or, if it is not there yet, with `--absent {pin.name}:{other}`.",
        )
        return
    yield _judge_deployment(pin, contract, theirs[-1])


def _collect_deployments(pin: Pin, folder: Path, files: Sequence[Path], fetch: bool) -> list[Deployment]:
    """By their dates; of one day what the other side says of itself after what is said here."""
    own, beside = folder / FILE, read_file_beside(pin, folder, FILE)
    lines = read_deployments(own.read_bytes(), str(own)) if own.is_file() else []
    lines += read_deployments(beside, f"{pin.source or folder}: {FILE}") if beside else []
    if theirs := _read_theirs(pin, folder, fetch):
        lines += read_deployments(theirs, f"{pin.peer or pin.source}: {FILE}")
    for file in files:
        try:
            lines += read_deployments(file.read_bytes(), str(file))
        except OSError as e:
            raise ContractError(f"{file} cannot be read: {e.strerror or e}.") from None
    return sorted(lines, key=lambda one: one.date)  # of one day the order stays


def _read_theirs(pin: Pin, folder: Path, fetch: bool) -> bytes | None:
    """The record of the other side's repository; None where it has none. Raises ContractError where it cannot be read:
    what was recorded here of an absence may be old."""
    if not (pin.peer or pin.source):
        return None
    if pin.peer:
        read_peer(pin, folder, lambda branch: "", fetch=fetch)
    return read_peer_file(pin, folder, FILE)


def _judge_deployment(pin: Pin, contract: SharedContract, deployed: Deployment) -> Row:
    where = f"in {deployed.environment}"
    if not deployed.version:
        return Row("holds", f"the {deployed.side} of {pin.name} is not {where} yet.")
    if deployed.version > len(contract.versions):
        return Row("breaks", f"{pin.name}@{deployed.version} is recorded {where}, and was never signed.")
    theirs, mine = contract.versions[deployed.version - 1], contract.versions[pin.version - 1]
    if deployed.hash != theirs.chain:
        return Row("breaks", f"{pin.name}@{deployed.version} {where} is not what was signed: its hash does not fit.")
    schemas: dict[str, Any] = {pin.side: mine.schemas[pin.side], deployed.side: theirs.schemas[deployed.side]}
    verdict = check_exchange(schemas["producer"], schemas["consumer"])
    beside = f"{pin.label} beside the {deployed.side} of {pin.name}@{deployed.version} {where}"
    if verdict.compatible is True:
        return Row("holds", f"{beside}: everything that is sent is taken.")
    why = "; ".join(str(reason.message) for reason in verdict.reasons[:3])
    return Row("unknown" if verdict.compatible is None else "breaks", f"{beside}: {why}.", verdict.counterexample)
