"""Every pin of a repository: is it still what was signed, does the code hold to it, and what is proposed upstream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphbus_core.contracts import NOTHING
from graphbus_core.contracts.validation.validator import validator
from graphbus_core.errors import ContractError, UsageError
from graphbus_core.services.contract_sharing.answers import (
    FILE as ANSWERS,
    find_other_reading,
    judge_answers,
    pair_recorded,
    read_answers,
    read_refused,
    record_answers,
)
from graphbus_core.services.contract_sharing.changed_lines import find_changes, find_meant
from graphbus_core.services.contract_sharing.evidence import (
    COVERAGE,
    RECORDS,
    Row,
    ServiceEndedError,
    Surroundings,
    Terms,
    explain_payload,
    is_partial,
    is_service,
    judge_evidence,
    read_records,
)
from graphbus_core.services.contract_sharing.number_words import judge_words
from graphbus_core.services.contract_sharing.pins import (
    LOCK,
    Pin,
    Target,
    check_address,
    parse_target,
    read_lock,
    write_pin,
)
from graphbus_core.services.contract_sharing.repositories import (
    Sighting,
    find_file,
    read_peer_file,
    read_sightings,
)
from graphbus_core.services.contract_sharing.sensitivity import Readings
from graphbus_core.services.contract_sharing.service_before import ServiceBefore, judge_before
from graphbus_core.services.contract_sharing.shown_changes import Outcome, TestRun, judge_change
from graphbus_core.services.contract_sharing.source_landmarks import find_source_landmarks
from graphbus_core.services.contract_sharing.verdicts import Verdict, read_verdicts
from graphbus_core.sessions.contract_file import AgreedVersion, SharedContract, check_exchange
from graphbus_core.text import join_few

_WORST = {"breaks": 1, "unknown": 3, "holds": 0, "note": 0}


@dataclass(frozen=True)
class PinReport:
    """What was found of one pin. Exit codes: 0 holds, 1 breaks, 3 not known."""

    pin: Pin
    rows: tuple[Row, ...]
    found: tuple[Row, ...] = ()  # those of `rows` that were found here, and not told by the other side
    pairs: tuple[tuple[Any, Any], ...] | None = None  # what the same tests sent before a change, and now

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
    text: str,
    side: str,
    folder: Path,
    *,
    branch: str = "",
    file: str = "",
    shows: Sequence[str] = (),
    peer: str = "",
) -> Pin:
    """Pin a contract: fetch it, look whether both signed it, and write its hash into the lock. Raises ContractError and
    UsageError."""
    target = parse_target(text, folder)
    check_address(peer)
    path = file or target.file or find_file(target.source, folder, target.name, branch)
    draft = Pin(target.name, target.version or 0, "", side, target.source, path, branch)
    contract = read_sightings(draft, folder)[0].contract
    _check_name(contract, target, path)
    version = contract.find_version(target.version, path)
    before = next((pin for pin in read_lock(folder) if (pin.name, pin.side) == (target.name, side)), None)
    if before is not None:
        if (rewritten := find_rewrite(before, contract)) is not None:
            raise ContractError(f"{rewritten} Ask who did that; delete the line in {LOCK} if it was right.")
        shows, peer = shows or before.shows, peer or before.peer
    pin = replace(draft, version=version.number, hash=version.chain, shows=tuple(shows), peer=peer)
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
    folder: Path,
    names: Sequence[str],
    shows: Sequence[str],
    hosts: frozenset[str],
    *,
    fetch: bool = True,
    branch: str = "",
    tests: TestRun | None = None,
    before: str = "",
) -> list[PinReport]:
    """Every pin, or those that are named, each held against what it shows. `branch`: what is checked out, if that is
    known; what the other side says of other branches is then a note. `tests`: what records what is sent, to ask which
    changes it shows. `before`: the service as it was before this branch, by its address or by a command.
    Raises ContractError and UsageError."""
    pins = read_lock(folder)
    chosen = [pin for pin in pins if not names or pin.name in names or pin.label in names]
    if not chosen:
        available = join_few([pin.label for pin in pins], 5) or "nothing"
        raise ContractError(
            f"{folder / LOCK} pins {available}. `graphbus contracts pin URL-OR-PATH#NAME@VERSION` adds one."
        )
    with ServiceBefore(before, folder, tests.stop if tests else None) as service_before:
        look = _Look(folder, hosts, fetch, branch, tests, service_before if before else None)
        return [_verify_pin(pin, shows, look) for pin in chosen]


@dataclass(frozen=True)
class _Look:
    """How the pins of a repository are looked at."""

    folder: Path
    hosts: frozenset[str]
    fetch: bool
    branch: str
    tests: TestRun | None
    before: ServiceBefore | None = None


def _verify_pin(pin: Pin, shows: Sequence[str], look: _Look) -> PinReport:
    folder = look.folder
    try:
        sightings = read_sightings(pin, folder, fetch=look.fetch)
    except ContractError as e:
        return PinReport(pin, (Row("breaks", str(e)),))
    contract = sightings[0].contract
    rewritten = find_rewrite(pin, contract)
    if rewritten is not None:
        return PinReport(pin, (Row("breaks", rewritten),))
    evidence = [*pin.shows, *shows]
    if all(shown.endswith(COVERAGE) for shown in evidence):
        why = f"nothing shows what the code does. Name it with --show: a schema, a class, or {pin.name}.jsonl."
        return PinReport(pin, (Row("unknown", why),))
    services = tuple(shown for shown in evidence if is_service(shown))
    around = _look_around(pin, services, evidence, look)
    terms = _build_terms(pin, contract, contract.versions[pin.version - 1], pin.label)
    rows = list(_judge_all(pin, terms, evidence, around))
    if pin.side == "consumer" and around.services and not any(row.state == "breaks" for row in rows):
        rows += _judge_answers(pin, terms, around, look.before)
    if look.before is not None:
        rows += _explain_no_comparison(pin, around)
    outcome = Outcome()
    if pin.side == "producer":
        outcome = _judge_change(look.tests, folder, evidence, terms)
        rows += outcome.rows
    elif look.tests is not None:
        rows.append(Row("note", "--tests is for who sends. Who takes shows a service, which is sent the examples."))
    if pin.version < len(contract.versions):
        newest = contract.versions[-1]
        news = _build_terms(pin, contract, newest, f"{pin.name}@{newest.number}")
        rows.append(_judge_news(pin, news, "is signed", evidence, around))
    for sighting in sightings:
        rows += _look_at_sighting(pin, contract, sighting, evidence, around)
    told: list[Row] = []
    if pin.peer or pin.source:
        told += _judge_verdicts(pin, terms, evidence, around, look.fetch, look.branch)
        if not look.fetch:
            told.append(Row("note", f"{pin.peer or pin.source} was not asked, so nothing is known of proposals."))
    if pin.side == "producer":
        rows += _ask_what_is_meant(pin, contract, terms, evidence, look, outcome)
    pairs = None if outcome.pairs is None else (*outcome.pairs, *outcome.beside)
    return PinReport(pin, (*rows, *told), tuple(rows), pairs)


def _look_around(pin: Pin, services: tuple[str, ...], evidence: Sequence[str], look: _Look) -> Surroundings:
    """What this branch changes, where coverage asks for it or a service is sent examples around what it names."""
    around = Surroundings(look.folder, look.hosts, services)
    is_sent = pin.side == "consumer" and bool(services)
    if not is_sent and not any(shown.endswith(COVERAGE) for shown in evidence):
        return around
    changes = find_changes(look.folder, fetch=look.fetch) or {}
    changed = {name: frozenset(line for hunk in hunks for line in hunk.lines) for name, hunks in changes.items()}
    if not is_sent:
        return replace(around, changed=changed)
    landmarks = find_source_landmarks(look.folder, changed)
    try:
        refused = read_refused(pin.name, look.folder)
    except ContractError:
        refused = frozenset()  # a line of its own, where the answers are held against the service
    return replace(around, changed=changed, landmarks=landmarks, refused_before=refused)


def _judge_answers(pin: Pin, terms: Terms, around: Surroundings, before: ServiceBefore | None) -> Iterator[Row]:
    """What the services answer, against what was recorded, and against what they answered before this branch."""
    try:
        rows = list(judge_answers(pin.name, terms, around))
    except ServiceEndedError as e:
        rows = [Row("breaks", str(e), e.payload)]
    except ContractError as e:
        rows = [Row("breaks", str(e))]
    yield from rows
    if before is None:
        why = (
            "a payload of which no answer is recorded may be answered otherwise than before, unseen: --before COMMAND."
        )
        yield Row("note", why)
    elif not any(row.state == "breaks" for row in rows):
        yield from judge_before(before, pin, terms, around)


def _explain_no_comparison(pin: Pin, around: Surroundings) -> Iterator[Row]:
    """Why there is nothing that the code before is held against."""
    if pin.side == "producer":
        yield Row("note", "--before is for who takes. Who sends names what records what is sent: --tests COMMAND.")
    elif not around.services:
        yield Row("unknown", "--before has no service beside it as it is now: --against URL.")


def _judge_change(tests: TestRun | None, folder: Path, evidence: Sequence[str], terms: Terms) -> Outcome:
    if tests is None:
        why = "a change of code that no test reaches would not be seen: --tests COMMAND, or --show an LCOV file."
        has_coverage = any(shown.endswith(COVERAGE) for shown in evidence)
        return Outcome([] if has_coverage else [Row("note", why)])
    try:
        return judge_change(tests, folder, evidence, terms)
    except ContractError as e:
        return Outcome([Row("unknown", str(e))])


def _ask_what_is_meant(
    pin: Pin, contract: SharedContract, terms: Terms, evidence: Sequence[str], look: _Look, outcome: Outcome
) -> Iterator[Row]:
    """What this branch sends or says otherwise than before: types hold, and nobody but this side knows whether it is
    meant. Where a commit says that it is, nothing of it is told to the other side."""
    folder, readings, recorded = look.folder, None, list[Any]()
    try:
        data = read_peer_file(pin, folder, ANSWERS) if pin.peer or pin.source else None
        where = f"{ANSWERS} of {pin.peer or pin.source}"
        readings = Readings(read_answers(pin.name, data, where)) if data else None
        recorded = [
            payload for shown in evidence if shown.endswith(RECORDS) for _, payload in read_records(folder / shown)
        ]
    except ContractError as e:
        yield Row("note", f"how the other side reads what is sent is not known: {e}")
    is_read = readings.reads if readings else None
    words = list(judge_words(contract, terms, evidence, recorded, folder, is_read, fetch=look.fetch))
    if (outcome.pairs or outcome.beside or words) and (commit := find_meant(folder, pin.name)):
        yield Row("note", f"what this branch sends or says otherwise than before is meant: commit {commit} says so.")
        outcome.pairs, outcome.beside, words = None if outcome.pairs is None else [], [], []
    yield from words
    if readings is not None:
        yield from _judge_readings(pin, terms, readings, recorded, [*(outcome.pairs or ()), *outcome.beside])


def _judge_readings(
    pin: Pin, terms: Terms, readings: Readings, recorded: Sequence[Any], pairs: Sequence[tuple[Any, Any]]
) -> Iterator[Row]:
    """What is sent, held against what the other side is known to answer: it may be read as something else."""
    where = f"{ANSWERS} of {pin.peer or pin.source}"
    refuses = validator(terms.schemas["consumer"], formats=True).check
    for before, now in pairs:
        if refuses(before) is not None:
            continue  # no answer to it is to be kept
        if (changed := readings.find_change(before, now)) is not None:
            yield Row(
                "unknown",
                f"for the same test or call this branch sends another payload than before: {changed}, and the answer "
                f"depends on it ({where}). Is that meant? Then say `Meant: {pin.name}` at the end of a commit message.",
                now,
            )
            break
    for payload in recorded:
        if (rounded := readings.find_rounded(payload)) is not None:
            place, number = rounded
            message = f"{place} is sent as {number}, which the other side cannot tell from its neighbours ({where})."
            yield Row("breaks", message, payload)
            break


def record_service(folder: Path, name: str, url: str, hosts: frozenset[str]) -> int:
    """Keep what a service answers to the examples of what is pinned. Raises ContractError and UsageError."""
    pin = next((pin for pin in read_lock(folder) if name in (pin.name, pin.label) and pin.side == "consumer"), None)
    if pin is None:
        raise UsageError(f"{folder / LOCK} pins no {name} as consumer. Pin it first: `graphbus contracts pin`.")
    contract = read_sightings(pin, folder)[0].contract
    if (rewritten := find_rewrite(pin, contract)) is not None:
        raise ContractError(rewritten)
    terms = _build_terms(pin, contract, contract.versions[pin.version - 1], pin.label)
    return record_answers(pin.name, terms, url, Surroundings(folder, hosts, (url,)))


def _judge_verdicts(
    pin: Pin, terms: Terms, evidence: Sequence[str], around: Surroundings, fetch: bool, branch: str
) -> Iterator[Row]:
    """What the other side's CI found on its branches: each payload is held against this side's code."""
    try:
        verdicts = list(read_verdicts(pin, around.folder, fetch=fetch))
    except ContractError as e:
        yield Row("unknown", f"what the other side found is not known: {e}")
        return
    for verdict in verdicts:
        who = f"{pin.peer or pin.source}, branch {verdict.branch}, {verdict.commit[:9]}"
        for row in verdict.rows:
            if row.branch and branch and row.branch != branch:
                yield Row("note", f"{who}: {row.message}")  # of another branch than this: it is said there
                continue
            if row.payload is NOTHING:
                yield Row(row.state, f"{who}: {row.message}")
                continue
            try:
                why = explain_payload(row.payload, pin.side, terms, evidence, around)
            except ContractError as e:
                yield Row("breaks", str(e))
                return
            if why:
                yield Row("breaks", f"{who}: {row.message} It breaks you here: {why}", row.payload)
            elif row.is_asked and not verdict.is_main:
                yield Row(row.state, f"{who}: {row.message}", row.payload)
            else:
                yield Row("note", f"{who}: {row.message} It does not break you.")
    if pin.side == "consumer" and around.services:
        yield from _compare_recorded(pin, verdicts, around)


def _compare_recorded(pin: Pin, verdicts: Sequence[Verdict], around: Surroundings) -> Iterator[Row]:
    """Whether a branch of the producer sends for the same test what is read as something else here. Types cannot tell
    that, and nobody but the producer knows what is meant: the row says that it is not known."""
    main = next((verdict for verdict in verdicts if verdict.is_main and verdict.recorded), None)
    for verdict in verdicts:
        pairs = verdict.pairs
        if pairs is None:
            pairs = tuple(pair_recorded(main.recorded, verdict.recorded)) if main is not None else ()
        changed = find_other_reading(pairs, around) if not verdict.is_main else None
        if changed is not None:
            why, payload = changed
            yield Row(
                "unknown",
                f"{pin.peer or pin.source}, branch {verdict.branch}, {verdict.commit[:9]}: for the same test or call "
                f"it sends another payload, and {why}. Is that meant?",
                payload,
            )


def _build_terms(pin: Pin, contract: SharedContract, version: AgreedVersion, label: str) -> Terms:
    # Whose own repository has the file sees each new version before it is merged. The other side sees it later, so what
    # the rule signs for it must fit its code by its contract alone.
    strict = pin.side in contract.allowing and bool(pin.source)
    return Terms(label, dict(version.schemas), dict(contract.parties), strict)


def _judge_all(pin: Pin, terms: Terms, evidence: Sequence[str], around: Surroundings) -> Iterator[Row]:
    """Everything that is shown, against the same terms. What recordings leave open counts only where they are all."""
    is_alone = all(is_partial(shown) for shown in evidence)
    for shown in evidence:
        try:
            rows = judge_evidence(shown, pin.side, terms, around)
        except ServiceEndedError as e:
            rows = [Row("breaks", str(e), e.payload)]
        except ContractError as e:
            rows = [Row("breaks", str(e))]
        for row in rows:
            is_covered = row.state == "unknown" and is_partial(shown) and not is_alone and not row.is_change
            yield replace(row, state="note") if is_covered else row


def _judge_news(pin: Pin, terms: Terms, word: str, evidence: Sequence[str], around: Surroundings) -> Row:
    """What comes after the pinned version: one line, red where it breaks this side."""
    # Which code the tests run is the same whatever is signed: it is said once.
    rows = list(_judge_all(pin, terms, [shown for shown in evidence if not shown.endswith(COVERAGE)], around))
    name, _, number = terms.label.partition("@")
    bad = next((row for row in rows if row.state == "breaks"), None)
    if bad is not None:
        return Row("breaks", f"{name} v{number} {word} and breaks you here: {bad.message}", bad.payload)
    unknown = next((row for row in rows if row.state == "unknown"), None)
    if unknown is not None:
        return Row("unknown", f"{name} v{number} {word}; whether it breaks you is not known: {unknown.message}")
    return Row("note", f"{name} v{number} {word} and fits you.")


def _look_at_sighting(
    pin: Pin, main: SharedContract, sighting: Sighting, evidence: Sequence[str], around: Surroundings
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
        yield replace(_judge_news(pin, terms, f"is signed{where}", evidence, around), branch=sighting.branch)
    proposal = theirs.proposal
    if proposal is None:
        return
    last = theirs.versions[-1] if theirs.versions else None
    changed, other = proposal.list_changed(last), "consumer" if pin.side == "producer" else "producer"
    if len(proposal.schemas) == 2 and other in changed:
        terms = Terms(f"{pin.name}@{proposal.number}", dict(proposal.schemas), dict(theirs.parties))
        yield replace(_judge_news(pin, terms, f"is proposed{where}", evidence, around), branch=sighting.branch)
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
