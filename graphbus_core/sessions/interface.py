"""An interface negotiation in a folder that both sides reach: one log, one lock, and the contract file it ends with.

`NAME.contract.json` is what both check in and test against: the producer's schema, the consumer's, both by version with
their hash and who signed. Beside it each version is published in `contracts-history/`, in the one form that `graphbus
contracts` reads. The file travels through git and the log does not: a file that git brought is adopted as a fact, so a
clone goes on where the other side stopped. A lost file is written again from the log.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphbus_core.contracts import Contract, Verdict
from graphbus_core.contracts.loaders.registry import FOLDER, PublishedVersion, make_folder_name, write_version
from graphbus_core.errors import ContractError, IllegalMove, UsageError
from graphbus_core.logs.jsonl import JsonlLog
from graphbus_core.negotiation.core import Ask, Event, Json, Result, Session, Want, collect_event_types
from graphbus_core.sessions.contract_file import SIDES, check_exchange, compute_pair_hash, parse_contract_file
from graphbus_core.storage import seat_token as seats
from graphbus_core.storage.atomic_files import write_atomic
from graphbus_core.storage.locks import acquire_lock

# The rules of an interface negotiation: each side tables a contract, both accept the same pair, and the engine agrees.
#
# A pair is what both sides have tabled last, by its hash, in which number and side are counted (trap 10): tabled anew,
# the same words void earlier acceptances. It stands when both sides accepted that hash, each by itself, and the engine
# has proved that everything the producer may send fits the consumer. Pure: no file, no clock. The verdict is an effect
# of nothing but the two contracts, so it is computed where it is asked for and recorded with the agreement.


MAX_TABLED = 100  # contracts of one side: then it ends without an agreement


@dataclass(frozen=True)
class Opened(Event, kind="interface_opened"):
    """What is negotiated, and between whom."""

    name: str
    producer: str
    consumer: str


@dataclass(frozen=True)
class Seated(Event, kind="side_seated"):
    """A side was taken. `token` is the digest of what proves it; "" for a seat by name."""

    side: str
    token: str = ""


@dataclass(frozen=True)
class Tabled(Event, kind="contract_tabled"):
    """A side's contract, as a JSON Schema."""

    side: str
    number: int
    schema: Any
    why: str = ""
    date: str = ""


@dataclass(frozen=True)
class Accepted(Event, kind="pair_accepted"):
    """A side accepts the pair with this hash. `rule`: nobody was asked, because both sides allowed that for what
    fits."""

    side: str
    hash: str
    date: str = ""
    rule: bool = False


@dataclass(frozen=True)
class RuleAllowed(Event, kind="rule_allowed"):
    """Whether a side lets the rule sign for it what is proved to fit."""

    side: str
    allowed: bool


@dataclass(frozen=True)
class FileAdopted(Event, kind="contract_file_adopted"):
    """The contract file says more than the log: git brought it. The table goes on from there."""

    document: Any


@dataclass(frozen=True)
class Settled(Event, kind="interface_agreed"):
    """Both accepted the same pair, and the engine proved that it fits."""

    version: int
    hash: str


EVENTS: Mapping[str, type[Event]] = collect_event_types(globals())


@dataclass
class State:
    """Everything that the rules look at."""

    name: str = ""
    parties: dict[str, str] = field(default_factory=dict)  # side -> who
    tokens: dict[str, str] = field(default_factory=dict)
    tabled: dict[str, Tabled] = field(default_factory=dict)
    accepted: dict[str, str] = field(default_factory=dict)
    signatures: dict[str, dict[str, Any]] = field(default_factory=dict)  # side -> its signature of the pair
    allowing: set[str] = field(default_factory=set)  # sides that let the rule sign what fits
    versions: list[dict[str, Any]] = field(default_factory=list)

    @property
    def pair_hash(self) -> str:
        """The hash of what both have tabled last; "" while one side is missing."""
        if len(self.tabled) < len(SIDES):
            return ""
        # Side and number are part of it: a contract withdrawn and tabled again must not wake an old acceptance.
        return compute_pair_hash(
            self.name, {side: (self.tabled[side].number, self.tabled[side].schema) for side in SIDES}
        )

    @property
    def is_settled(self) -> bool:
        """Whether the pair that stands is the last version."""
        return bool(self.versions) and self.versions[-1]["hash"] == self.pair_hash

    def check_pair(self) -> Verdict | None:
        """What the engine says of the pair."""
        if not self.pair_hash:
            return None
        return check_exchange(*(self.tabled[side].schema for side in SIDES))


def explain_table_refusal(state: State, side: str, schema: Any) -> str:
    """Why this side cannot table this contract; "" if it can."""
    if side not in SIDES:
        return f"{side!r} is not a side: there are producer and consumer."
    if not isinstance(schema, Mapping):
        return "A contract is a JSON Schema: an object."
    # What the engine cannot read is refused here. On the table it would make every later verdict fail.
    try:
        Contract.from_json_schema(schema)
    except ContractError as e:
        return str(e)
    if side in state.tabled and state.tabled[side].number >= MAX_TABLED:
        return f"The {side} has tabled {MAX_TABLED} contracts; agree on one of them in another negotiation."
    # Else a side could void the other's acceptance for ever by saying the same again.
    if side in state.tabled and state.tabled[side].schema == schema:
        return "That is the contract that stands on the table already."
    return ""


def explain_accept_refusal(state: State, pair: str) -> str:
    """Why nobody can accept this pair; "" if it can. The engine's verdict counts."""
    if not state.pair_hash:
        missing = [s for s in SIDES if s not in state.tabled]
        has = "has" if len(missing) == 1 else "have"
        return f"The {' and the '.join(missing)} {has} tabled no contract yet; there is nothing to accept."
    # An acceptance names what it saw. Else one sent while the other side tabled anew would accept the unread.
    if pair != state.pair_hash:
        return f"What stands on the table is {state.pair_hash}, not {pair}: look at it again before you accept."
    verdict = state.check_pair()
    # Undecided is not a yes: only a proof lets the pair stand.
    if verdict is None or verdict.compatible is not True:
        return f"The contracts do not fit: {describe_verdict(verdict)}"
    return ""


def describe_verdict(verdict: Verdict | None) -> str:
    """A verdict in a sentence, with the payload that proves it."""
    if verdict is None:
        return "one side is missing."
    if verdict.compatible is True:
        return "everything that the producer may send fits the consumer."
    why = "; ".join(str(reason.message) for reason in verdict.reasons[:5]) or "it could not be decided"
    payload = f" The payload {json.dumps(verdict.counterexample, ensure_ascii=False, default=str)} shows it."
    return f"{why}.{payload if verdict.has_counterexample else ''}"


class InterfaceProtocol:
    """The negotiation on the engine of the core."""

    name = "interface"
    events: Mapping[str, type[Event]] = EVENTS

    def open(self, config: Any = None) -> State:
        """Before the first fact."""
        return State()

    def pending(self, state: State) -> Iterator[Want]:
        """Nobody is asked: both move on their own."""
        return iter(())

    def check(self, ask: Ask, body: Json) -> str | None:
        """There is no question."""
        return f"there is no question of the kind {ask.kind!r}"

    def settle(self, state: State, want: Want, result: Result) -> Event:
        """There is no question."""
        raise IllegalMove("an interface negotiation asks nothing")

    def submit(self, state: State, who: str, move: Json) -> Event:
        """The one fact that a move is. Whoever submits has asked the rules before. Raises IllegalMove."""
        kind = move["move"]
        if kind == "open" and not state.name:
            return Opened(move["name"], move["producer"], move["consumer"])
        if kind == "seat" and who not in state.tokens:
            return Seated(who, move.get("token", ""))
        if kind == "table" and not explain_table_refusal(state, who, move["schema"]):
            # Counted by the rules, not by whoever moves: a number given from outside could repeat an old pair.
            before = state.tabled.get(who)
            number = before.number + 1 if before else 1
            return Tabled(who, number, move["schema"], move.get("why", ""), move.get("date", ""))
        if kind == "accept" and not explain_accept_refusal(state, move["hash"]):
            return Accepted(who, move["hash"], move.get("date", ""))
        if kind == "allow" and who in SIDES:
            return RuleAllowed(who, move["allowed"])
        if kind == "adopt":
            return FileAdopted(move["document"])
        raise IllegalMove(f"interface: {kind} of {who} is against the rules")

    def advance(self, state: State) -> Event | None:
        """The agreement, once both accepted the pair, or the acceptance of a side that lets the rule sign."""
        pair = state.pair_hash
        if not pair or state.is_settled:
            return None
        missing = [side for side in SIDES if state.accepted.get(side) != pair]
        if not missing:
            return Settled(len(state.versions) + 1, pair)
        # The first version is agreed by hand: there is nothing yet that a change could be compatible with.
        verdict = state.check_pair() if state.versions and state.allowing.issuperset(SIDES) else None
        if verdict is not None and verdict.compatible is True:
            return Accepted(missing[0], pair, max(state.tabled[side].date for side in SIDES), rule=True)
        return None

    def evolve(self, state: State, event: Event) -> State:
        """The fold."""
        match event:
            case Opened():
                state.name = event.name
                state.parties = {"producer": event.producer, "consumer": event.consumer}
            case Seated():
                state.tokens[event.side] = event.token
            case Tabled():
                state.tabled[event.side] = event
                state.accepted.clear()  # what was accepted no longer stands on the table
                state.signatures.clear()
            case Accepted():
                state.accepted[event.side] = event.hash
                if event.date:  # facts of before signatures have none, and their versions stay as they were pinned
                    state.signatures[event.side] = {
                        "side": event.side,
                        "who": state.parties.get(event.side, ""),
                        "hash": event.hash,
                        "seat": state.tokens.get(event.side, "") or "by name",
                        "date": event.date,
                        **({"by": "rule"} if event.rule else {}),
                    }
            case Settled():
                schemas = {side: state.tabled[side].schema for side in SIDES}
                version = {"version": event.version, "hash": event.hash, **schemas}
                if len(state.signatures) == len(SIDES):
                    version["tables"] = {side: state.tabled[side].number for side in SIDES}
                    version["signatures"] = [state.signatures[side] for side in SIDES]
                state.versions.append(version)
            case RuleAllowed():
                (state.allowing.add if event.allowed else state.allowing.discard)(event.side)
            case FileAdopted():
                return _restore_state(event.document)
        return state

    def outcome(self, state: State) -> None:
        """It stays open: the next version is negotiated here, too."""
        return


def render_state(state: State) -> dict[str, Any]:
    """The contract file: the last version in front, all of them in its history, and what is on the table."""
    parties = [state.parties[side] for side in SIDES]
    history = [
        {**entry, "digest": version.digest, "accepted_by": parties}
        for entry, version in zip(state.versions, list_published(state), strict=True)
    ]
    data: dict[str, Any] = {"contract": state.name, "version": len(history)}
    if history:
        data |= {"hash": history[-1]["hash"], "digest": history[-1]["digest"]}
    data |= state.parties
    if history:
        data |= {"schema": history[-1]["producer"], "consumer_schema": history[-1]["consumer"]}
    data["history"] = history
    data["allowing"] = sorted(state.allowing)
    data["seats"] = dict(sorted(state.tokens.items()))
    if state.tabled and not state.is_settled:
        data["proposed"] = {
            "version": len(history) + 1,
            "hash": state.pair_hash,
            **{side: state.tabled[side].schema for side in SIDES if side in state.tabled},
            "tables": {side: state.tabled[side].number for side in SIDES if side in state.tabled},
            "why": {side: state.tabled[side].why for side in SIDES if side in state.tabled},
            "signatures": [state.signatures[side] for side in SIDES if side in state.signatures],
        }
    return data


def list_published(state: State) -> list[PublishedVersion]:
    """Each agreed version, as `graphbus contracts` reads it."""
    parties = tuple(state.parties[side] for side in SIDES)
    return [
        PublishedVersion(state.name, entry["version"], entry["producer"], None, entry["consumer"], parties)
        for entry in state.versions
    ]


def _restore_state(document: Any) -> State:
    """The state that a contract file tells of."""
    state = State(document["contract"], {side: document[side] for side in SIDES}, dict(document.get("seats", {})))
    state.allowing = set(document.get("allowing", ()))
    for entry in document.get("history", ()):
        state.versions.append({k: v for k, v in entry.items() if k not in ("digest", "accepted_by")})
    proposed = document.get("proposed")
    on_table = proposed or (state.versions[-1] if state.versions else {})
    for side in SIDES:
        if side in on_table:
            number = on_table.get("tables", {}).get(side, len(state.versions))
            state.tabled[side] = Tabled(side, number, on_table[side], on_table.get("why", {}).get(side, ""))
    for signature in on_table.get("signatures", ()):
        state.signatures[signature["side"]] = signature
        state.accepted[signature["side"]] = signature["hash"]
    return state


LOCK_S = 30.0


@dataclass(frozen=True, slots=True)
class InterfaceResult:
    """What an operation has to say. `refused` is why it was not done."""

    refused: str = ""
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Whether it was done."""
        return not self.refused


class InterfaceDirectory:
    """One interface between two components, in the folder `at`."""

    def __init__(self, folder: Path, name: str, today: str = "") -> None:
        if not name or not name.isprintable() or any(c in name for c in "/\\") or name.startswith("."):
            raise UsageError(f"{name!r} cannot be the name of an interface: it becomes a file's name.")
        self.at = folder.absolute()
        self.name = name
        self.today = today  # the date of signatures that are given here; without one none is written
        self.hidden = self.at / ".graphbus"
        self.file = self.at / f"{name}.contract.json"

    @property
    def log(self) -> Path:
        """Where its facts are."""
        return self.hidden / f"agree-{self.name}.jsonl"

    def open(self, producer: str, consumer: str) -> InterfaceResult:
        """Open it, or join what is open."""
        if not producer or not consumer or producer == consumer:
            return InterfaceResult("An interface is between two: give --producer and --consumer, two different names.")
        with self._open_session() as session:
            # The state is read under the lock: two sides that open at once would else each write an opening fact.
            state = session.state
            if not state.name:
                session.submit("", {"move": "open", "name": self.name, "producer": producer, "consumer": consumer})
            elif state.parties != {"producer": producer, "consumer": consumer}:
                parties = f"{state.parties['producer']} and {state.parties['consumer']}"
                return InterfaceResult(
                    f"{self.name} is negotiated between {parties} here; give those, or another --at."
                )
            return InterfaceResult(data=self._describe_state(session.state))

    def take(self, side: str, token: str) -> InterfaceResult:
        """Take a side; who took it first keeps it."""
        if side not in SIDES:
            return InterfaceResult(f"{side!r} is not a side: an interface has a {' and a '.join(SIDES)}.")
        with self._open_session() as session:
            if side in session.state.tokens:
                return InterfaceResult(
                    f"The {side} is seated already. Take the other side, or ask who sits there for the seat."
                )
            session.submit(side, {"move": "seat", "token": seats.compute_digest(token)})
            if self.file.exists():
                self._write(session.state)  # else the file, which counts, would be adopted and know no such seat
            return InterfaceResult(data=self._describe_state(session.state))

    def is_seated(self, side: str) -> bool:
        """Whether somebody has taken a side, or acts there by its name."""
        with self._open_session() as session:
            return side in session.state.tokens or side in session.state.tabled

    def table(self, side: str, schema: Any, why: str = "", token: str = "") -> InterfaceResult:
        """Table a side's contract; every earlier acceptance is void with it."""
        with self._open_session() as session:
            refused = self._explain_denial(session.state, side, token) or explain_table_refusal(
                session.state, side, schema
            )
            if refused:
                return InterfaceResult(refused, self._describe_state(session.state))
            session.submit(side, {"move": "table", "schema": schema, "why": why, "date": self.today})
            self._write(session.state)
            return InterfaceResult(data=self._describe_state(session.state))

    def accept(self, side: str, pair: str, token: str = "") -> InterfaceResult:
        """Accept the pair on the table; with both acceptances the contract file is written."""
        with self._open_session() as session:
            refused = self._explain_denial(session.state, side, token) or explain_accept_refusal(session.state, pair)
            if refused:
                return InterfaceResult(refused, self._describe_state(session.state))
            session.submit(side, {"move": "accept", "hash": pair, "date": self.today})
            # A move counts once it is in the file: after a kill between log and file, the file is adopted, and the
            # side does again what it was never told to be done.
            self._write(session.state)
            return InterfaceResult(data=self._describe_state(session.state))

    def allow(self, side: str, allowed: bool, token: str = "") -> InterfaceResult:
        """Let the rule sign for a side what is proved to fit, or no longer."""
        with self._open_session() as session:
            if refused := self._explain_denial(session.state, side, token):
                return InterfaceResult(refused, self._describe_state(session.state))
            session.submit(side, {"move": "allow", "allowed": allowed})
            self._write(session.state)
            return InterfaceResult(data=self._describe_state(session.state))

    def look(self) -> InterfaceResult:
        """How it stands."""
        # Asked before the lock: to look at a wrong name must not leave an empty log behind.
        if not self.log.exists() and not self.file.exists():
            open_it = f"graphbus agree {self.name} --producer A --consumer B --at {self.at}"
            return InterfaceResult(f"There is no negotiation about {self.name} in {self.at}. Open it: `{open_it}`.")
        with self._open_session() as session:
            if session.state.is_settled and not self.file.exists():
                self._write(session.state)  # a kill came between log and file
            return InterfaceResult(data=self._describe_state(session.state))

    @contextmanager
    def _open_session(self) -> Iterator[Session[State, None]]:
        """The negotiation, for this process alone. Raises UsageError for a link: it leads elsewhere."""
        # Whoever may write to a shared folder could else lead us to write outside it.
        for place in (self.hidden, self.at / FOLDER, self.at / FOLDER / make_folder_name(self.name), self.log):
            if place.is_symlink():
                raise UsageError(f"{place} is a symbolic link, and is not followed. Put a plain one in its place.")
        self.hidden.mkdir(parents=True, exist_ok=True)
        fd = acquire_lock(
            self.hidden / "agree.lock", lambda who: f"{self.at} is held by {who or 'another'}.", wait_s=LOCK_S
        )
        try:
            # The log is opened anew for each command. The other side is another process, and what it said since must
            # be read before anything is judged.
            log = JsonlLog(self.log, EVENTS, protocol="interface")
            try:
                session: Session[State, None] = Session(InterfaceProtocol(), None, log)
                session.advance()
                self._adopt_file(session)
                yield session
            finally:
                log.close()
        finally:
            os.close(fd)

    @staticmethod
    def _explain_denial(state: State, side: str, token: str) -> str:
        """Why this command may not act for a side."""
        if side not in SIDES:
            return f"{side!r} is not a side: there are producer and consumer."
        # A seat by name has no token to give: two who share a folder may agree to trust each other.
        if state.tokens.get(side, "") in ("", seats.compute_digest(token)):
            return ""
        return f"The {side} sits here with a token, and this command did not give it. Give --seat FILE."

    def _describe_state(self, state: State) -> dict[str, Any]:
        verdict = state.check_pair()
        return {
            "name": state.name,
            "parties": dict(state.parties),
            "tabled": {side: state.tabled[side].schema for side in SIDES if side in state.tabled},
            "pair": state.pair_hash,
            "verdict": verdict.to_dict() if verdict is not None else None,
            "says": describe_verdict(verdict),
            "accepted": [side for side in SIDES if state.pair_hash and state.accepted.get(side) == state.pair_hash],
            "agreed": state.is_settled,
            "version": len(state.versions),
            "file": str(self.file) if state.versions else "",
        }

    def _adopt_file(self, session: Session[State, None]) -> None:
        """Go on from the contract file where it says something else than the log. Raises ContractError for a file that
        is not as it was agreed."""
        if not self.file.is_file():
            return
        contract, document = parse_contract_file(self.file.read_bytes(), str(self.file))
        if contract.name != self.name:
            raise ContractError(f"{self.file} is the contract of {contract.name}, not of {self.name}.")
        # A file of before signatures does not say what is on the table. There the log goes on, if there is one.
        is_older = "allowing" not in document and bool(session.state.name)
        if not is_older and (not session.state.name or document != render_state(session.state)):
            session.submit("", {"move": "adopt", "document": document})

    def _write(self, state: State) -> None:
        """Write the contract file, and each version as it is published."""
        text = json.dumps(render_state(state), indent=2, ensure_ascii=False) + "\n"
        write_atomic(self.file, text.encode("utf-8", "surrogatepass"), durable=True)
        # All versions each time, not the last alone: one that a kill kept back or that was lost comes back. One that
        # was edited is refused there.
        for version in list_published(state):
            write_version(self.at / FOLDER, version)
