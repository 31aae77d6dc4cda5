"""What a diff does to the contracts, computed and never believed (design §6.2, §6.3).

`sketch` applies a diff to the contracts alone, on any view of them (a few cards are enough to tell whether it can be
applied). `effects` says on the whole ground whom it affects, what it breaks and of which class it is. Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from graphbus_core import contracts
from graphbus_core.errors import ContractError
from graphbus_core.model.feeding import met
from graphbus_core.model.graph import Link
from graphbus_core.model.operation import (
    FILES,
    AddAgent,
    AddMethod,
    Decorate,
    Define,
    DeleteMethod,
    EditText,
    FieldOperation,
    Operation,
    RemoveAgent,
    RemoveDefinition,
    RenameMethod,
    ReplaceBody,
    Undecorate,
)
from graphbus_core.negotiation.proposal.vocabulary import ProposalType
from graphbus_core.negotiation.proposal.weighed.ground import Ground, JsonSchema, Surface, slot_of

Slot = tuple[str, str, str]  # node, method or topic, side
Look = Callable[[str], Surface | None]

STRICTNESS = {t.value: i for i, t in enumerate(ProposalType)}  # the enum stands laxest first


class Inapplicable(Exception):
    """A diff that cannot be applied to the contracts as they are; the message says which step and why."""


@dataclass
class Sketch:
    """Contracts after a diff: only those that it touches."""

    before: dict[Slot, JsonSchema | None] = field(default_factory=dict)
    after: dict[Slot, JsonSchema | None] = field(default_factory=dict)
    added: set[tuple[str, str]] = field(default_factory=set)  # (node, method)
    gone: set[tuple[str, str]] = field(default_factory=set)  # deleted, or renamed away

    @property
    def changed(self) -> list[Slot]:
        """The contracts that are not as they were."""
        return [slot for slot in self.after if self.after[slot] != self.before.get(slot)]


def sketch(ops: Sequence[Operation], look: Look) -> Sketch:
    """Apply a diff to the contracts that `look` shows. Raises Inapplicable."""
    made = Sketch()
    for number, op in enumerate(ops, 1):
        try:
            _step(made, op, look)
        except (Inapplicable, ContractError) as e:
            # The step's number, because a model that is refused has to find its own line again.
            raise Inapplicable(f"step {number} ({op.op} on {op.symbol}): {e}") from None
    return made


def _step(made: Sketch, op: Operation, look: Look) -> None:
    surface = look(op.node)
    if isinstance(op, AddAgent):
        if surface is not None:
            # A new agent has no card yet, so nothing of it can be judged.
            raise Inapplicable(f"there is an agent {op.node} already")
        made.added.add((op.node, ""))
        return
    if surface is None:
        raise Inapplicable(f"there is no agent {op.node} that you could know of")
    match op:
        case FieldOperation():
            slot = (op.node, op.topic or op.method or "", op.side)
            made.after[slot] = contracts.apply_operation(_current(made, slot, surface), op)
        case ReplaceBody() | EditText() | DeleteMethod() | RenameMethod():
            _must_exist(made, op, surface)
            if isinstance(op, ReplaceBody | EditText):
                return
            method = op.method or ""
            if isinstance(op, RenameMethod):
                if _exists(made, op.node, op.to, surface):
                    raise Inapplicable(f"{op.node} has a method {op.to} already")
                # A rename is the old one gone and a new one added with the same contracts: that is how callers meet
                # it.
                for side in ("input", "output"):
                    made.before[op.node, op.to, side] = None
                    made.after[op.node, op.to, side] = _current(made, (op.node, method, side), surface)
                made.added.add((op.node, op.to))
            for side in ("input", "output"):
                _current(made, (op.node, method, side), surface)
                made.after[op.node, method, side] = None
            made.gone.add((op.node, method))
            # Added and taken away in one diff, it never was.
            made.added.discard((op.node, method))
        case AddMethod(method=method):
            if _exists(made, op.node, method or "", surface):
                raise Inapplicable(f"{op.node} has a method {method} already")
            made.added.add((op.node, method or ""))
            made.gone.discard((op.node, method or ""))
        case _:
            _step_around(made, op, surface)


def _step_around(made: Sketch, op: Operation, surface: Surface) -> None:
    """What an operation beside contracts and bodies does to contracts: mostly nothing."""
    match op:
        case RemoveAgent():
            made.gone.add((op.node, ""))
            for name in surface.methods:
                made.gone.add((op.node, name))
                for side in ("input", "output"):
                    _current(made, (op.node, name, side), surface)
                    made.after[op.node, name, side] = None
            for topic in surface.topics:
                _current(made, (op.node, topic, "payload"), surface)
                made.after[op.node, topic, "payload"] = None
        case Decorate():
            made.added.add((op.node, op.decorator))
        case Undecorate():
            made.added.add((op.node, op.decorator))
            for topic in _topics(op.decorator):
                if topic in surface.topics and "publishes" in op.decorator:
                    _current(made, (op.node, topic, "payload"), surface)
                    made.after[op.node, topic, "payload"] = None
        case _:  # imports, definitions, attributes, files: no contract of theirs
            return


def _current(made: Sketch, slot: Slot, surface: Surface) -> JsonSchema | None:
    """The contract of a slot as the diff has left it so far; remembers what it was before the first touch."""
    # The first touch keeps what was there before the diff: several steps may change one contract.
    if slot in made.after:
        return made.after[slot]
    node, name, side = slot
    found: JsonSchema | None
    if side == "payload":
        if name not in surface.topics:
            raise Inapplicable(f"{node} publishes {_nearest(surface.topics)}, not {name}")
        found = surface.topics[name]
    else:
        if name not in surface.methods:
            raise Inapplicable(f"{node} has the methods {_nearest(surface.methods)}, not {name}")
        found = surface.methods[name][0 if side == "input" else 1]
    made.before[slot] = found
    return found


def _exists(made: Sketch, node: str, method: str, surface: Surface) -> bool:
    known = method in surface.methods
    return (known or (node, method) in made.added) and (node, method) not in made.gone


def _must_exist(made: Sketch, op: Operation, surface: Surface) -> None:
    # Cards list methods with a contract. The body of another one may still be replaced.
    if not _exists(made, op.node, op.method or "", surface):
        # Cards list methods with a contract; the body of another method may still be replaced.
        if isinstance(op, ReplaceBody | EditText) and (op.node, op.method or "") not in made.gone:
            return
        raise Inapplicable(f"{op.node} has the methods {_nearest(surface.methods)}, not {op.method}")


def _nearest(names: Any) -> str:
    listed = list(names)
    return ", ".join(listed[:20]) if listed else "none with a contract"


# --------------------------------------------------------------------------------------- on the whole ground


def effects(ground: Ground, ops: Sequence[Operation], label: str = "") -> dict[str, Any]:
    """Whom a diff affects and what it breaks: the `computed` of a proposal. Raises Inapplicable.

    `type` is the stricter of label and computed. `affected`: agents across a link from a contract that changes.
    `owners`: agents whose class it touches. A link *breaks* where it fitted, or could not be told apart, before and
    does not fit after. A contract without any link has callers we do not know, so a breaking change there is one; so is
    a change whose known callers must change along with it (`together`), as where a field is renamed at both ends of a
    link: an existing caller is whom it must convince (seed 000, conflict type 4). Mending a link breaks nothing.
    """
    made = sketch(ops, ground.surface)
    changed = made.changed
    owners = ground.in_order({name for op in ops for name in _owners(ground, op)})
    links = _links_at(ground, {*changed, *((n, m, s) for n, m in made.gone for s in ("input", "output"))})
    on_links = _on_links(ground, made, links)
    linked = {slot_of(link.producer, True) for link in links} | {slot_of(link.consumer, False) for link in links}
    changes = [change for slot in changed for change in _changes(slot, made.before.get(slot), made.after[slot])]
    # Without a link nobody is known who reads it, so it has readers that we do not know.
    alone = any(c["breaking"] and c["slot"] not in linked for c in changes)
    # Whatever it breaks, its author's own label can only make it stricter (design §6.3).
    return {
        "type": stricter(_class_of(made, on_links, alone).value, label),
        "affected": list(ground.in_order({*(n for ends in links.values() for n in ends), *_told_to(ground, ops)})),
        "owners": list(owners),
        "changes": [_said(change) for change in changes],
        "breaks": on_links.breaks,
        # The slot is ours, to find links by. A proposal's record has the name that people know.
        "fixes": on_links.fixes,
        "files": list(dict.fromkeys([*ground.files(owners), *(op.path for op in ops if isinstance(op, FILES))])),
        **({"together": on_links.together} if on_links.together else {}),
    }


def _class_of(made: Sketch, on_links: _OnLinks, alone: bool) -> ProposalType:
    """`alone`: whether a contract that no known link rests on changes in a way that may break whoever uses it."""
    if on_links.breaks or on_links.together or alone or made.gone:
        return ProposalType.BREAKING_CHANGE
    return ProposalType.SCHEMA_EXTENSION if made.changed or made.added else ProposalType.LOGIC_IMPROVEMENT


def _said(change: dict[str, Any]) -> dict[str, Any]:
    """A change as a proposal carries it: `symbol` and `side` name its slot there."""
    return {key: value for key, value in change.items() if key != "slot"}


def _owners(ground: Ground, op: Operation) -> set[str]:
    """Whose code an operation touches: its node's; of what stands beside a class, all who live in that file."""
    if isinstance(op, Define | RemoveDefinition) and op.node in ground.agents:
        return {name for name in ground.agents if ground.file(name) == ground.file(op.node)}
    return {op.node}


def _told_to(ground: Ground, ops: Sequence[Operation]) -> set[str]:
    """Whom a decorator concerns: who publishes or hears its topic, and whom it depends on."""
    words = {word for op in ops if isinstance(op, Decorate | Undecorate) for word in _topics(op.decorator)}
    found = {word.partition(".")[0] for word in words}
    for name, agent in ground.agents.items():
        heard = {s.topic.name for s in agent.subscriptions} | {p.topic.name for p in agent.publications}
        if words & heard:
            found.add(name)
    return found - {op.node for op in ops}


def _topics(decorator: str) -> list[str]:
    """The texts that a decorator's call names first: topics or nodes."""
    return [double or single for double, single in _TEXTS.findall(decorator.partition("{")[0])]


_TEXTS = re.compile(r"\"([^\"]+)\"|'([^']+)'")


@dataclass
class _OnLinks:
    """What a diff does to the links of what it changes."""

    breaks: list[dict[str, Any]] = field(default_factory=list)
    fixes: list[str] = field(default_factory=list)
    together: list[str] = field(default_factory=list)  # fit only because both ends change


def _on_links(ground: Ground, made: Sketch, links: Iterable[Link]) -> _OnLinks:
    found = _OnLinks()
    # Only a proven fit can be lost. What nobody could decide before is told where it stands.
    for link in links:
        before = _verdict(ground, made, link, (False, False))
        after = _verdict(ground, made, link, (True, True))
        fitted, fits = before["compatible"] is True, after["compatible"] is True
        if fitted and not fits:
            found.breaks.append({"link": link.id, "agents": sorted({link.producer.node, link.consumer.node}), **after})
        elif fits and not fitted:
            found.fixes.append(link.id)
        elif fits and fitted and not _is_free(ground, made, link):
            found.together.append(link.id)
    return found


def stricter(computed: str, label: str) -> str:
    """The stricter of what was computed and what the proposer calls it (design §6.3)."""
    return max(computed, label, key=lambda t: STRICTNESS.get(t, -1))


def schema_changes(ground: Ground, ops: Sequence[Operation]) -> list[dict[str, Any]]:
    """The contracts that a diff changes, before and after: `SchemaChange` as dictionaries. Raises Inapplicable."""
    made = sketch(ops, ground.surface)
    return [
        {
            "symbol": f"{node} -> {name}" if side == "payload" else f"{node}.{name}",
            "side": side,
            "before": made.before.get(slot),
            "after": made.after[slot],
            "changes": [_said(change) for change in _changes(slot, made.before.get(slot), made.after[slot])],
        }
        for slot in made.changed
        for node, name, side in (slot,)
    ]


def _links_at(ground: Ground, slots: set[Slot]) -> dict[Link, tuple[str, ...]]:
    """The links that rest on these contracts, each with the agents at its *other* end."""
    found: dict[Link, set[str]] = {}
    for node in dict.fromkeys(sorted(slot[0] for slot in slots)):
        for link in ground.links_of(node):
            if slot_of(link.producer, True) in slots:
                found.setdefault(link, set()).add(link.consumer.node)
            if slot_of(link.consumer, False) in slots:
                found.setdefault(link, set()).add(link.producer.node)
    return {link: tuple(sorted(ends)) for link, ends in found.items()}


def _is_free(ground: Ground, made: Sketch, link: Link) -> bool:
    # Ends that change only together have a caller between the two states: it is that caller who must be convinced.
    """Whether each end of a link could have changed without the other."""
    ends = (slot_of(link.producer, True), slot_of(link.consumer, False))
    if any(slot not in made.after or made.after[slot] == made.before.get(slot) for slot in ends):
        return True
    return all(_verdict(ground, made, link, after)["compatible"] is True for after in ((True, False), (False, True)))


def _verdict(ground: Ground, made: Sketch, link: Link, afters: tuple[bool, bool]) -> dict[str, Any]:
    """What `contracts.check` says of a link, its producer and its consumer each before the diff or after it.

    A side that is not declared takes no part in the checks.
    """
    sides = []
    for slot, after in zip((slot_of(link.producer, True), slot_of(link.consumer, False)), afters, strict=True):
        node, name, side = slot
        # A method that is gone fits nothing, and no schema needs to be asked.
        if after and (node, name) in made.gone and side != "payload":
            return {"compatible": False, "reasons": [f"{node}.{name} is gone"], "counterexample": None}
        surface = ground.surface(node)
        assert surface is not None  # a link's ends are agents of the ground
        if after and slot in made.after:
            found = made.after[slot]
        elif side == "payload":
            found = surface.topics.get(name)
        else:
            found = surface.methods.get(name, (None, None))[0 if side == "input" else 1]
        if side == "input" and link.producer.topic is not None:
            found = _payload_taken(found, surface.parameters.get(name, ()))
        sides.append(found)
    if (pair := met(link, sides[0], sides[1])) is None:
        return {"compatible": True, "reasons": [], "counterexample": None}
    return _checked(_canonical(pair[0]), _canonical(pair[1]))


def _payload_taken(schema: JsonSchema | None, parameters: tuple[str, ...]) -> JsonSchema | None:
    """What a handler takes of an event, as `build.link` reads it: its input contract describes the payload; where that
    contract's only field is the handler's only parameter, and an object, the field does."""
    fields = (schema or {}).get("properties", {})
    if len(fields) != 1 or len(parameters) != 1:
        return schema
    (name, inner) = next(iter(fields.items()))
    whole = name == parameters[0] and inner.get("type") == "object" and not (schema or {}).get("$defs")
    return inner if whole else schema


# By text: the same pairs are asked in each round, and again by the gates of a commit.
@lru_cache(maxsize=20_000)
def _checked(producer: str, consumer: str) -> dict[str, Any]:
    verdict = contracts.check(_contract(producer), _contract(consumer))
    return {
        "compatible": verdict.compatible,
        "reasons": [reason.message for reason in verdict.reasons],
        "counterexample": verdict.counterexample if verdict.has_counterexample else None,
    }


def _changes(slot: Slot, before: JsonSchema | None, after: JsonSchema | None) -> list[dict[str, Any]]:
    """The typed changes of one contract; `breaking` as seen from its own side."""
    node, name, side = slot
    symbol = f"{node} -> {name}" if side == "payload" else f"{node}.{name}"
    said = {"symbol": symbol, "side": side, "slot": slot}
    if before is None:
        # Declaring what was not declared breaks nobody, since nobody could rely on it.
        return [{**said, "kind": "declared", "path": "", "breaking": False, "message": f"{symbol} declares its {side}"}]
    if after is None:
        return [{**said, "kind": "undeclared", "path": "", "breaking": True, "message": f"{symbol} has no {side} now"}]
    where = "input" if side == "input" else "output"
    return [{**said, **change} for change in _typed(_canonical(before), _canonical(after), where)]


@lru_cache(maxsize=20_000)
def _typed(before: str, after: str, where: str) -> list[dict[str, Any]]:
    found = contracts.changes(_contract(before), _contract(after))
    return [{"kind": c.kind, "path": c.path, "breaking": where in c.may_break, "message": c.message} for c in found]


@lru_cache(maxsize=20_000)
def _contract(schema: str) -> contracts.Contract:
    return contracts.Contract.from_json_schema(json.loads(schema))


def _canonical(schema: JsonSchema) -> str:
    return json.dumps(schema, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
