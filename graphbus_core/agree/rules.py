"""The rules of an interface negotiation: each side tables a contract, both accept the same pair, and the engine agrees.

A pair is what both sides have tabled last, by its hash, in which number and side are counted (trap 10): tabled anew,
the same words void earlier acceptances. It stands when both sides accepted that hash, each by itself, and the engine
has proved that everything the producer may send fits the consumer. Pure: no file, no clock. The verdict is an effect of
nothing but the two contracts, so it is computed where it is asked for and recorded with the agreement.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from graphbus_core.contracts import Contract, Verdict, check
from graphbus_core.errors import ContractError, IllegalMove
from graphbus_core.negotiation.core import Ask, Event, Json, Result, Want, facts_of

SIDES = ("producer", "consumer")
MAX_TABLED = 100  # contracts of one side: then it ends without an agreement


# These five say their words themselves: logs that stand on disk have longer ones than the classes are called.
@dataclass(frozen=True)
class Opened(Event):
    """What is negotiated, and between whom."""

    kind: ClassVar[str] = "interface_opened"
    name: str
    producer: str
    consumer: str


@dataclass(frozen=True)
class Seated(Event):
    """A side was taken. `token` is the digest of what proves it; "" for a seat by name."""

    kind: ClassVar[str] = "side_seated"
    side: str
    token: str = ""


@dataclass(frozen=True)
class Tabled(Event):
    """A side's contract, as a JSON Schema."""

    kind: ClassVar[str] = "contract_tabled"
    side: str
    number: int
    schema: Any
    why: str = ""


@dataclass(frozen=True)
class Accepted(Event):
    """A side accepts the pair with this hash."""

    kind: ClassVar[str] = "pair_accepted"
    side: str
    hash: str


@dataclass(frozen=True)
class Settled(Event):
    """Both accepted the same pair, and the engine proved that it fits."""

    kind: ClassVar[str] = "interface_agreed"
    version: int
    hash: str


EVENTS: Mapping[str, type[Event]] = facts_of(globals())


@dataclass
class State:
    """Everything that the rules look at."""

    name: str = ""
    parties: dict[str, str] = field(default_factory=dict)  # side -> who
    tokens: dict[str, str] = field(default_factory=dict)
    tabled: dict[str, Tabled] = field(default_factory=dict)
    accepted: dict[str, str] = field(default_factory=dict)
    versions: list[dict[str, Any]] = field(default_factory=list)

    @property
    def pair(self) -> str:
        """The hash of what both have tabled last; "" while one side is missing."""
        if len(self.tabled) < len(SIDES):
            return ""
        # Side and number are part of it: a contract withdrawn and tabled again must not wake an old acceptance.
        said = [[side, self.tabled[side].number, self.tabled[side].schema] for side in SIDES]
        whole = json.dumps([self.name, *said], sort_keys=True, ensure_ascii=False)
        return hashlib.blake2b(whole.encode(errors="replace"), digest_size=8).hexdigest()

    @property
    def settled(self) -> bool:
        """Whether the pair that stands is the last version."""
        return bool(self.versions) and self.versions[-1]["hash"] == self.pair

    def verdict(self) -> Verdict | None:
        """What the engine says of the pair."""
        if not self.pair:
            return None
        sides = [Contract.from_json_schema(self.tabled[side].schema) for side in SIDES]
        return check(*sides)


def to_table(state: State, side: str, schema: Any) -> str:
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


def to_accept(state: State, pair: str) -> str:
    """Why nobody can accept this pair; "" if it can. The engine's verdict counts."""
    if not state.pair:
        missing = [s for s in SIDES if s not in state.tabled]
        has = "has" if len(missing) == 1 else "have"
        return f"The {' and the '.join(missing)} {has} tabled no contract yet; there is nothing to accept."
    # An acceptance names what it saw. Else one sent while the other side tabled anew would accept the unread.
    if pair != state.pair:
        return f"What stands on the table is {state.pair}, not {pair}: look at it again before you accept."
    verdict = state.verdict()
    # Undecided is not a yes: only a proof lets the pair stand.
    if verdict is None or verdict.compatible is not True:
        return f"The contracts do not fit: {shown(verdict)}"
    return ""


def shown(verdict: Verdict | None) -> str:
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
        if kind == "table" and not to_table(state, who, move["schema"]):
            # Counted by the rules, not by whoever moves: a number given from outside could repeat an old pair.
            before = state.tabled.get(who)
            return Tabled(who, before.number + 1 if before else 1, move["schema"], move.get("why", ""))
        if kind == "accept" and not to_accept(state, move["hash"]):
            return Accepted(who, move["hash"])
        raise IllegalMove(f"interface: {kind} of {who} is against the rules")

    def advance(self, state: State) -> Event | None:
        """The agreement, once both accepted the pair."""
        pair = state.pair
        if pair and not state.settled and all(state.accepted.get(side) == pair for side in SIDES):
            return Settled(len(state.versions) + 1, pair)
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
            case Accepted():
                state.accepted[event.side] = event.hash
            case Settled():
                schemas = {side: state.tabled[side].schema for side in SIDES}
                state.versions.append({"version": event.version, "hash": event.hash, **schemas})
        return state

    def outcome(self, state: State) -> None:
        """It stays open: the next version is negotiated here, too."""
        return
