"""Every pin of a repository: is it still what was signed, does the code hold to it, and what is proposed upstream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphbus_core.contracts import NOTHING
from graphbus_core.errors import ContractError
from graphbus_core.services.contract_sharing.evidence import Row, Terms, is_partial, judge_evidence
from graphbus_core.services.contract_sharing.pins import LOCK, Pin, Target, parse_target, read_lock, write_pin
from graphbus_core.services.contract_sharing.repositories import Sighting, find_file, read_sightings
from graphbus_core.sessions.contract_file import AgreedVersion, SharedContract, check_exchange
from graphbus_core.text import join_few

_WORST = {"breaks": 1, "unknown": 3, "holds": 0, "note": 0}


@dataclass(frozen=True)
class PinReport:
    """What was found of one pin. Exit codes: 0 holds, 1 breaks, 3 not known."""

    pin: Pin
    rows: tuple[Row, ...]

    @property
    def exit_code(self) -> int:
        """1 where anything breaks, else 3 where anything is not known."""
        codes = {_WORST[row.state] for row in self.rows}
        return 1 if 1 in codes else max(codes, default=3)

    def to_dict(self) -> dict[str, Any]:
        """JSON form."""
        state = {0: "holds", 1: "breaks", 3: "unknown"}[self.exit_code]
        return {"pin": self.pin.label, "side": self.pin.side, "state": state, "rows": [r.to_dict() for r in self.rows]}


def pin_contract(
    text: str, side: str, folder: Path, *, branch: str = "", file: str = "", shows: Sequence[str] = ()
) -> Pin:
    """Pin a contract: fetch it, look whether both signed it, and write its hash into the lock. Raises ContractError and
    UsageError."""
    target = parse_target(text, folder)
    path = file or target.file or find_file(target.source, folder, target.name, branch)
    draft = Pin(target.name, target.version or 0, "", side, target.source, path, branch)
    contract = read_sightings(draft, folder)[0].contract
    _check_name(contract, target, path)
    version = contract.find_version(target.version, path)
    before = next((pin for pin in read_lock(folder) if (pin.name, pin.side) == (target.name, side)), None)
    if before is not None:
        if (rewritten := find_rewrite(before, contract)) is not None:
            raise ContractError(f"{rewritten} Ask who did that; delete the line in {LOCK} if it was right.")
        shows = shows or before.shows
    pin = replace(draft, version=version.number, hash=version.chain, shows=tuple(shows))
    write_pin(folder, pin)
    return pin


def _check_name(contract: SharedContract, target: Target, path: str) -> None:
    if contract.name != target.name:
        raise ContractError(f"{path} is the contract of {contract.name}, not of {target.name}.")


def find_rewrite(pin: Pin, contract: SharedContract) -> str | None:
    """What is wrong with the history since it was pinned, in a sentence."""
    if len(contract.versions) < pin.version:
        return (
            f"{pin.label} was pinned, and {pin.file} has {len(contract.versions)} versions now: history was rewritten."
        )
    if contract.versions[pin.version - 1].chain != pin.hash:
        return f"{pin.label} is not what was pinned: its hash does not fit, so {pin.file} was rewritten since."
    return None


def verify_pins(
    folder: Path, names: Sequence[str], shows: Sequence[str], hosts: frozenset[str], *, fetch: bool = True
) -> list[PinReport]:
    """Every pin, or those that are named, each held against what it shows. Raises ContractError and UsageError."""
    pins = read_lock(folder)
    chosen = [pin for pin in pins if not names or pin.name in names or pin.label in names]
    if not chosen:
        available = join_few([pin.label for pin in pins], 5) or "nothing"
        raise ContractError(
            f"{folder / LOCK} pins {available}. `graphbus contracts pin URL-OR-PATH#NAME@VERSION` adds one."
        )
    return [PinReport(pin, tuple(_verify_pin(pin, folder, shows, hosts, fetch))) for pin in chosen]


def _verify_pin(pin: Pin, folder: Path, shows: Sequence[str], hosts: frozenset[str], fetch: bool) -> Iterator[Row]:
    try:
        sightings = read_sightings(pin, folder, fetch=fetch)
    except ContractError as e:
        yield Row("breaks", str(e))
        return
    contract = sightings[0].contract
    rewritten = find_rewrite(pin, contract)
    if rewritten is not None:
        yield Row("breaks", rewritten)
        return
    evidence = [*pin.shows, *shows]
    if not evidence:
        yield Row(
            "unknown", f"nothing shows what the code does. Name it with --show: a schema, a class, or {pin.name}.jsonl."
        )
        return
    pinned = contract.versions[pin.version - 1]
    yield from _judge_all(pin, _build_terms(pin, contract, pinned, pin.label), folder, evidence, hosts)
    if pin.version < len(contract.versions):
        newest = contract.versions[-1]
        label = f"{pin.name}@{newest.number}"
        yield from _judge_news(pin, _build_terms(pin, contract, newest, label), "is signed", folder, evidence, hosts)
    for sighting in sightings:
        yield from _look_at_sighting(pin, contract, sighting, folder, evidence, hosts)
    if not fetch and pin.source:
        yield Row("note", f"{pin.source} was not asked, so nothing is known of proposals.")


def _build_terms(pin: Pin, contract: SharedContract, version: AgreedVersion, label: str) -> Terms:
    # Whose own repository has the file sees each new version before it is merged. The other side sees it later, so what
    # the rule signs for it must fit its code by its contract alone.
    strict = pin.side in contract.allowing and bool(pin.source)
    return Terms(label, dict(version.schemas), dict(contract.parties), strict)


def _judge_all(pin: Pin, terms: Terms, folder: Path, evidence: Sequence[str], hosts: frozenset[str]) -> Iterator[Row]:
    """Everything that is shown, against the same terms. What recordings leave open counts only where they are all."""
    is_alone = all(is_partial(shown) for shown in evidence)
    for shown in evidence:
        try:
            rows = judge_evidence(shown, pin.side, terms, folder, hosts)
        except ContractError as e:
            rows = [Row("breaks", str(e))]
        for row in rows:
            is_covered = row.state == "unknown" and is_partial(shown) and not is_alone
            yield replace(row, state="note") if is_covered else row


def _judge_news(
    pin: Pin, terms: Terms, word: str, folder: Path, evidence: Sequence[str], hosts: frozenset[str]
) -> Iterator[Row]:
    """What comes after the pinned version: one line, red where it breaks this side."""
    rows = list(_judge_all(pin, terms, folder, evidence, hosts))
    name, _, number = terms.label.partition("@")
    bad = next((row for row in rows if row.state == "breaks"), None)
    if bad is not None:
        yield Row("breaks", f"{name} v{number} {word} and breaks you here: {bad.message}", bad.payload)
        return
    unknown = next((row for row in rows if row.state == "unknown"), None)
    if unknown is not None:
        yield Row("unknown", f"{name} v{number} {word}; whether it breaks you is not known: {unknown.message}")
        return
    yield Row("note", f"{name} v{number} {word} and fits you.")


def _look_at_sighting(
    pin: Pin, main: SharedContract, sighting: Sighting, folder: Path, evidence: Sequence[str], hosts: frozenset[str]
) -> Iterator[Row]:
    """What a branch, or the file itself, has beyond the versions that count."""
    theirs, where = sighting.contract, f" on branch {sighting.branch}" if sighting.branch else ""
    shared = min(len(theirs.versions), len(main.versions))
    if any(theirs.versions[i].chain != main.versions[i].chain for i in range(shared)):
        number = next(i for i in range(shared) if theirs.versions[i].chain != main.versions[i].chain) + 1
        yield Row("breaks", f"two versions {number} of {pin.name} are signed: the one that counts, and another{where}.")
        return
    if len(theirs.versions) > len(main.versions):
        newest = theirs.versions[-1]
        terms = _build_terms(pin, theirs, newest, f"{pin.name}@{newest.number}")
        yield from _judge_news(pin, terms, f"is signed{where}", folder, evidence, hosts)
    proposal = theirs.proposal
    if proposal is None:
        return
    last = theirs.versions[-1] if theirs.versions else None
    changed, other = proposal.list_changed(last), "consumer" if pin.side == "producer" else "producer"
    if len(proposal.schemas) == 2 and other in changed:
        terms = Terms(f"{pin.name}@{proposal.number}", dict(proposal.schemas), dict(theirs.parties))
        yield from _judge_news(pin, terms, f"is proposed{where}", folder, evidence, hosts)
    if not pin.source:
        yield _describe_waiting(pin, theirs)


def _describe_waiting(pin: Pin, contract: SharedContract) -> Row:
    """A table that is open in this very file: nothing is merged before both signed."""
    proposal = contract.proposal
    assert proposal is not None
    waiting = [contract.parties[side] for side in contract.parties if side not in proposal.signed_by]
    head = f"{pin.name} v{proposal.number} is on the table and waits for {' and '.join(waiting)}"
    if len(proposal.schemas) == 2:
        verdict = check_exchange(proposal.schemas["producer"], proposal.schemas["consumer"])
        if verdict.compatible is not True:
            why = "; ".join(str(reason.message) for reason in verdict.reasons[:3])
            return Row("breaks", f"{head}. It does not fit: {why}.", verdict.counterexample)
    return Row("breaks", f"{head}. Nothing is merged before both signed.", NOTHING)
