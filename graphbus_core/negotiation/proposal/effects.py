"""What a diff does to the contracts, computed and never believed (design §6.2, §6.3).

`apply_to_contracts` applies a diff to the contracts alone, on any view of them (a few cards are enough to tell whether
it can be
applied). `compute_effects` says on the whole ground whom it affects, what it breaks and of which class it is. Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from graphbus_core import contracts
from graphbus_core.errors import ContractError
from graphbus_core.model.graph import Endpoint, Link, LinkOrigin, find_fields_beside, narrow_to_link
from graphbus_core.model.operation import (
    FILES,
    AddAgent,
    AddMethod,
    Decorate,
    Define,
    DeleteMethod,
    EditText,
    FieldOperation,
    MapField,
    Operation,
    RemoveAgent,
    RemoveDefinition,
    RenameMethod,
    ReplaceBody,
    Undecorate,
    UnmapField,
)
from graphbus_core.negotiation.proposal.link_faults import LinkFault, collect_renames, compare_faults, rename_ends
from graphbus_core.negotiation.proposal.project_view import JsonSchema, ProjectView, Surface, find_slot
from graphbus_core.negotiation.proposal.vocabulary import ProposalType

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
    renames: dict[tuple[str, str], str] = field(default_factory=dict)  # node and method -> the method's new name
    dropped: set[tuple[str, str]] = field(default_factory=set)  # node, and the decorator that is taken off it

    @property
    def changed_slots(self) -> list[Slot]:
        """The contracts that are not as they were."""
        return [slot for slot in self.after if self.after[slot] != self.before.get(slot)]


def apply_to_contracts(ops: Sequence[Operation], look: Look) -> Sketch:
    """Apply a diff to the contracts that `look` shows. Raises Inapplicable."""
    draft = Sketch(renames=collect_renames(ops))
    for number, op in enumerate(ops, 1):
        try:
            _apply_step(draft, op, look)
        except (Inapplicable, ContractError) as e:
            # The step's number, because a model that is refused has to find its own line again.
            raise Inapplicable(f"step {number} ({op.op} on {op.symbol}): {e}") from None
    return draft


def _apply_step(draft: Sketch, op: Operation, look: Look) -> None:
    surface = look(op.node)
    if isinstance(op, AddAgent):
        if surface is not None:
            # A new agent has no card yet, so nothing of it can be judged.
            raise Inapplicable(f"there is an agent {op.node} already")
        draft.added.add((op.node, ""))
        return
    if surface is None:
        raise Inapplicable(f"there is no agent {op.node} that you could know of")
    match op:
        case FieldOperation():
            slot = (op.node, op.topic or op.method or "", op.side)
            draft.after[slot] = contracts.apply_operation(_read_contract(draft, slot, surface), op)
        case ReplaceBody() | EditText() | DeleteMethod() | RenameMethod():
            _require_method(draft, op, surface)
            if isinstance(op, ReplaceBody | EditText):
                return
            method = op.method or ""
            if isinstance(op, RenameMethod):
                if _has_method(draft, op.node, op.to, surface):
                    raise Inapplicable(f"{op.node} has a method {op.to} already")
                # A rename is the old one gone and a new one added with the same contracts: that is how callers meet
                # it.
                for side in ("input", "output"):
                    draft.before[op.node, op.to, side] = None
                    draft.after[op.node, op.to, side] = _read_contract(draft, (op.node, method, side), surface)
                draft.added.add((op.node, op.to))
            for side in ("input", "output"):
                _read_contract(draft, (op.node, method, side), surface)
                draft.after[op.node, method, side] = None
            draft.gone.add((op.node, method))
            # Added and taken away in one diff, it never was.
            draft.added.discard((op.node, method))
        case AddMethod(method=method):
            if _has_method(draft, op.node, method or "", surface):
                raise Inapplicable(f"{op.node} has a method {method} already")
            draft.added.add((op.node, method or ""))
            draft.gone.discard((op.node, method or ""))
        case _:
            _apply_other_step(draft, op, surface)


def _apply_other_step(draft: Sketch, op: Operation, surface: Surface) -> None:
    """What an operation beside contracts and bodies does to contracts: mostly nothing."""
    match op:
        case RemoveAgent():
            draft.gone.add((op.node, ""))
            for name in surface.methods:
                draft.gone.add((op.node, name))
                for side in ("input", "output"):
                    _read_contract(draft, (op.node, name, side), surface)
                    draft.after[op.node, name, side] = None
            for topic in surface.topics:
                _read_contract(draft, (op.node, topic, "payload"), surface)
                draft.after[op.node, topic, "payload"] = None
        case MapField() | UnmapField():
            draft.added.add((op.node, f"{op.op} {op.field}"))
        case Decorate():
            draft.added.add((op.node, op.decorator))
        case Undecorate():
            draft.added.add((op.node, op.decorator))
            draft.dropped.add((op.node, op.decorator))
            for topic in _parse_topics(op.decorator):
                if topic in surface.topics and "publishes" in op.decorator:
                    _read_contract(draft, (op.node, topic, "payload"), surface)
                    draft.after[op.node, topic, "payload"] = None
        case _:  # imports, definitions, attributes, files: no contract of theirs
            return


def _read_contract(draft: Sketch, slot: Slot, surface: Surface) -> JsonSchema | None:
    """The contract of a slot as the diff has left it so far; remembers what it was before the first touch."""
    # The first touch keeps what was there before the diff: several steps may change one contract.
    if slot in draft.after:
        return draft.after[slot]
    node, name, side = slot
    contract: JsonSchema | None
    if side == "payload":
        if name not in surface.topics:
            raise Inapplicable(f"{node} publishes {_list_known(surface.topics)}, not {name}")
        contract = surface.topics[name]
    else:
        if name not in surface.methods:
            raise Inapplicable(f"{node} has the methods {_list_known(surface.methods)}, not {name}")
        contract = surface.methods[name][0 if side == "input" else 1]
    draft.before[slot] = contract
    return contract


def _has_method(draft: Sketch, node: str, method: str, surface: Surface) -> bool:
    declared = method in surface.methods
    return (declared or (node, method) in draft.added) and (node, method) not in draft.gone


def _require_method(draft: Sketch, op: Operation, surface: Surface) -> None:
    # Cards list methods with a contract. The body of another one may still be replaced.
    if not _has_method(draft, op.node, op.method or "", surface):
        # Cards list methods with a contract; the body of another method may still be replaced.
        if isinstance(op, ReplaceBody | EditText) and (op.node, op.method or "") not in draft.gone:
            return
        raise Inapplicable(f"{op.node} has the methods {_list_known(surface.methods)}, not {op.method}")


def _list_known(names: Any) -> str:
    listed = list(names)
    return ", ".join(listed[:20]) if listed else "none with a contract"


# --------------------------------------------------------------------------------------- on the whole ground


def compute_effects(ground: ProjectView, ops: Sequence[Operation], label: str = "") -> dict[str, Any]:
    """Whom a diff affects and what it breaks: the `computed` of a proposal. Raises Inapplicable.

    `type` is the stricter of label and computed. `affected`: agents across a link from a contract that changes.
    `owners`: agents whose class it touches. Which links it breaks and fixes, `link_faults` says; mending one breaks
    nothing. A contract without any link has callers we do not know, so a breaking change there is one; so is a change
    whose known callers must change along with it (`together`), as where a field is renamed at both ends of a link: an
    existing caller is whom it must convince (seed 000, conflict type 4).
    """
    draft = apply_to_contracts(ops, ground.surface)
    changed = draft.changed_slots
    owners = ground.in_order({name for op in ops for name in _find_owners(ground, op)})
    links = _find_links(ground, draft)
    on_links = _compare_links(ground, draft, links)
    sure = [link for link in links if not link.guessed]
    linked = {find_slot(link.producer, True) for link in sure} | {find_slot(link.consumer, False) for link in sure}
    changes = [
        change for slot in changed for change in _describe_changes(slot, draft.before.get(slot), draft.after[slot])
    ]
    # Without a link nobody is known who reads it, so it has readers that we do not know.
    alone = any(c["breaking"] and c["slot"] not in linked for c in changes)
    # Whatever it breaks, its author's own label can only make it stricter (design §6.3).
    return {
        "type": pick_stricter(_decide_type(draft, on_links, alone).value, label),
        "affected": list(
            ground.in_order({*(n for ends in links.values() for n in ends), *_find_decorator_peers(ground, ops)})
        ),
        "owners": list(owners),
        "changes": [_drop_slot(change) for change in changes],
        "breaks": on_links.breaks,
        # The slot is ours, to find links by. A proposal's record has the name that people know.
        "fixes": on_links.fixes,
        "files": list(dict.fromkeys([*ground.files(owners), *(op.path for op in ops if isinstance(op, FILES))])),
        **({"left": on_links.left} if on_links.left else {}),
        **({"together": on_links.together} if on_links.together else {}),
        **({} if changes_links(ops) else _find_unsent(ground, draft, links)),
    }


def _find_unsent(ground: ProjectView, draft: Sketch, links: Iterable[Link]) -> dict[str, list[str]]:
    """Fields that may be left out after the diff and that nobody sends then, a sentence each. No link breaks by them.

    `unsent`: what a consumer gets no more, or goes on without: it was sent before, or was required while something
    else is sent that is not taken. Data is lost by that. `never_sent`: what was required before the diff, and what
    nobody sent then either. Nothing is lost by that, and nobody should take it for data that arrives from now on.
    """
    sentences: dict[str, list[str]] = {"unsent": [], "never_sent": []}
    for consumer in dict.fromkeys(link.consumer for link in links if not link.guessed):
        feeding = [
            link
            for link in ground.links_of(consumer.node)
            if link.consumer == consumer and not _is_gone(draft, link.producer)
        ]
        slot = find_slot(consumer, False)
        contracts_taken = [_read_side(ground, draft, slot, after) or {} for after in (False, True)]
        sent = [_list_sent(ground, draft, feeding, after) for after in (False, True)]
        input_names = contracts_taken[1].get("properties", {})
        spare = sorted(sent[1] - set(input_names))
        was_required, is_required = (set(taken.get("required", ())) for taken in contracts_taken)
        for name in input_names:
            if name in is_required or name in sent[1] or not (name in sent[0] or name in was_required):
                continue
            if name not in sent[0] and not spare:
                sentences["never_sent"].append(
                    f"Nobody sends {name} to {consumer}, before this change or after it: it is no longer required, "
                    "and nothing is lost."
                )
                continue
            producers = " and ".join(str(link.producer) for link in feeding)
            also = f" What is sent there and not taken: {', '.join(spare)}." if spare else ""
            sentences["unsent"].append(
                f"{consumer} gets no {name}, which {producers} would have to send; it goes on without.{also}"
            )
    return {key: lines for key, lines in sentences.items() if lines}


def _list_sent(ground: ProjectView, draft: Sketch, links: Iterable[Link], after: bool) -> set[str]:
    """The fields that some links bring, by their consumer's names."""
    names: set[str] = set()
    for link in links:
        sent = _read_side(ground, draft, find_slot(link.producer, True), after)
        if sent is not None and link.mapping is not None:
            sent = link.mapping.map_schema(sent)
        names |= set((sent or {}).get("properties", {}))
    return names


def changes_links(ops: Iterable[Operation]) -> bool:
    """Whether a diff may join what was not joined: then the contracts alone do not tell what it breaks."""
    return any(isinstance(op, Decorate | Undecorate | MapField | UnmapField | AddMethod | AddAgent) for op in ops)


def restate_links(computed: dict[str, Any], links: Mapping[str, Any]) -> dict[str, Any]:
    """`computed` with the links as a try found them in the changed sources."""
    kind = ProposalType.BREAKING_CHANGE.value if links["breaks"] else ""
    restated = {"type": pick_stricter(computed["type"], kind), "breaks": links["breaks"], "fixes": links["fixes"]}
    unchanged = {key: value for key, value in computed.items() if key != "left"}
    return {**unchanged, **restated, **({"left": links["left"]} if links.get("left") else {})}


def _decide_type(draft: Sketch, on_links: _LinkEffects, alone: bool) -> ProposalType:
    """`alone`: whether a contract that no known link rests on changes in a way that may break whoever uses it."""
    if on_links.breaks or on_links.together or alone or draft.gone:
        return ProposalType.BREAKING_CHANGE
    return ProposalType.SCHEMA_EXTENSION if draft.changed_slots or draft.added else ProposalType.LOGIC_IMPROVEMENT


def _drop_slot(change: dict[str, Any]) -> dict[str, Any]:
    """A change as a proposal carries it: `symbol` and `side` name its slot there."""
    return {key: value for key, value in change.items() if key != "slot"}


def _find_owners(ground: ProjectView, op: Operation) -> set[str]:
    """Whose code an operation touches: its node's; of what stands beside a class, all who live in that file."""
    if isinstance(op, Define | RemoveDefinition) and op.node in ground.agents:
        return {name for name in ground.agents if ground.file(name) == ground.file(op.node)}
    return {op.node}


def _find_decorator_peers(ground: ProjectView, ops: Sequence[Operation]) -> set[str]:
    """Whom a decorator concerns: who publishes or hears its topic, and whom it depends on."""
    words = {word for op in ops if isinstance(op, Decorate | Undecorate) for word in _parse_topics(op.decorator)}
    words |= {op.decorator[1] for op in ops if isinstance(op, MapField | UnmapField)}
    peers = {word.partition(".")[0] for word in words}
    for name, agent in ground.agents.items():
        topics = {s.topic.name for s in agent.subscriptions} | {p.topic.name for p in agent.publications}
        if words & topics:
            peers.add(name)
    return peers - {op.node for op in ops}


def _parse_topics(decorator: str) -> list[str]:
    """The texts that a decorator's call names first: topics or nodes."""
    return [double or single for double, single in _QUOTED.findall(decorator.partition("{")[0])]


_QUOTED = re.compile(r"\"([^\"]+)\"|'([^']+)'")


@dataclass
class _LinkEffects:
    """What a diff does to the links of what it changes."""

    breaks: list[dict[str, Any]]
    fixes: list[str]
    left: list[dict[str, Any]]  # did not fit before, and do not fit now
    together: list[str]  # fit only because both ends change


def _compare_links(ground: ProjectView, draft: Sketch, links: Iterable[Link]) -> _LinkEffects:
    before, after, together = dict[str, LinkFault](), dict[str, LinkFault](), list[str]()
    for link in links:
        stood, stands = _check_link(ground, draft, link, (False, False)), _check_link(ground, draft, link, (True, True))
        if stood is None and stands is None and not _is_free(ground, draft, link):
            together.append(link.id)
        if not link.guessed:  # a guess is shown, and is no finding
            before |= {link.id: stood} if stood is not None else {}
            after |= {stands.link.id: stands} if stands is not None else {}
    for link, joined in _list_joined(ground, draft, links):
        stood, stands = (
            _check_link(ground, draft, link, (False, False)),
            _check_link(ground, draft, joined, (True, True)),
        )
        before |= {link.id: stood} if stood is not None else {}
        after.pop(rename_ends(link, draft.renames).id, None)
        after |= {stands.link.id: stands} if stands is not None else {}
    worse, mended, left = compare_faults(before, after, draft.renames)
    return _LinkEffects([fault.to_dict() for fault in worse], mended, left, together)


def _list_joined(ground: ProjectView, draft: Sketch, links: Iterable[Link]) -> Iterator[tuple[Link, Link]]:
    """Every link of a method that several feed together, as it was and as it is joined after the diff: what one of
    them no longer brings, another may have to. Where a call is among them, the join stays as the scan found it."""
    for consumer in dict.fromkeys(link.consumer for link in links if link.origin is LinkOrigin.METHOD):
        fed = [link for link in ground.links_of(consumer.node) if link.consumer == consumer and not link.own]
        feeding = [link for link in fed if not _is_gone(draft, link.producer)]
        if len(feeding) < 2 or any(link.origin is not LinkOrigin.METHOD for link in feeding):
            continue
        now = [rename_ends(link, draft.renames) for link in feeding]
        sent = {link.id: _read_side(ground, draft, find_slot(link.producer, True), True) for link in now}
        taken = _read_side(ground, draft, find_slot(now[0].consumer, False), True)
        schemas = {key: schema for key, schema in sent.items() if schema is not None}
        if taken is None or len(schemas) < len(now):
            continue
        beside = find_fields_beside(schemas, taken)
        for link, renamed in zip(feeding, now, strict=True):
            yield link, replace(link, beside=tuple(sorted(beside[renamed.id])))


def pick_stricter(computed: str, label: str) -> str:
    """The stricter of what was computed and what the proposer calls it (design §6.3)."""
    return max(computed, label, key=lambda t: STRICTNESS.get(t, -1))


def list_schema_changes(ground: ProjectView, ops: Sequence[Operation]) -> list[dict[str, Any]]:
    """The contracts that a diff changes, before and after: `SchemaChange` as dictionaries. Raises Inapplicable."""
    draft = apply_to_contracts(ops, ground.surface)
    return [
        {
            "symbol": f"{node} -> {name}" if side == "payload" else f"{node}.{name}",
            "side": side,
            "before": draft.before.get(slot),
            "after": draft.after[slot],
            "changes": [
                _drop_slot(change) for change in _describe_changes(slot, draft.before.get(slot), draft.after[slot])
            ],
        }
        for slot in draft.changed_slots
        for node, name, side in (slot,)
    ]


def find_touched_links(ground: ProjectView, ops: Sequence[Operation]) -> dict[Link, tuple[str, ...]]:
    """The links that rest on what a diff changes, each with the agents at its *other* end. Raises Inapplicable."""
    return _find_links(ground, apply_to_contracts(ops, ground.surface))


def _find_links(ground: ProjectView, draft: Sketch) -> dict[Link, tuple[str, ...]]:
    slots = {*draft.changed_slots, *((n, m, s) for n, m in draft.gone for s in ("input", "output"))}
    by_link: dict[Link, set[str]] = {}
    for node in dict.fromkeys(sorted(slot[0] for slot in slots)):
        for link in ground.links_of(node):
            if find_slot(link.producer, True) in slots:
                by_link.setdefault(link, set()).add(link.consumer.node)
            if find_slot(link.consumer, False) in slots:
                by_link.setdefault(link, set()).add(link.producer.node)
    return {link: tuple(sorted(ends)) for link, ends in by_link.items()}


def _is_free(ground: ProjectView, draft: Sketch, link: Link) -> bool:
    # Ends that change only together have a caller between the two states: it is that caller who must be convinced.
    """Whether each end of a link could have changed without the other."""
    ends = (find_slot(link.producer, True), find_slot(link.consumer, False))
    if any(slot not in draft.after or draft.after[slot] == draft.before.get(slot) for slot in ends):
        return True
    return all(_check_link(ground, draft, link, after) is None for after in ((True, False), (False, True)))


def _check_link(ground: ProjectView, draft: Sketch, link: Link, afters: tuple[bool, bool]) -> LinkFault | None:
    """What is wrong with a link, its producer and its consumer each before the diff or after it; None where it fits.

    A side that is not declared takes no part in the checks.
    """
    now = rename_ends(link, draft.renames)
    if afters[1] and _is_gone(draft, link.consumer):
        return None  # nobody takes anything any more
    if afters[0] and _is_gone(draft, link.producer):
        left = any(node == link.consumer.node and str(link.producer) in text for node, text in draft.dropped)
        return None if left else LinkFault(link, False, (f"{link.producer} is gone",))
    sent = _read_side(ground, draft, find_slot((now if afters[0] else link).producer, True), afters[0])
    taken = _read_side(ground, draft, find_slot((now if afters[1] else link).consumer, False), afters[1])
    if (pair := narrow_to_link(link, sent, taken)) is None:
        return None
    verdict = _check_contracts(_render_canonical(pair[0]), _render_canonical(pair[1]))
    return None if verdict["compatible"] is True else LinkFault(now, **verdict, contracts=(pair,))


def _is_gone(draft: Sketch, end: Endpoint) -> bool:
    """Whether an end of a link is deleted; what is renamed is still there."""
    here = (end.node, end.method or "")
    return here not in draft.renames and bool(draft.gone & {here, (end.node, "")}) and end.topic is None


def _read_side(ground: ProjectView, draft: Sketch, slot: Slot, after: bool) -> JsonSchema | None:
    """A contract before the diff or after it; None where none is declared."""
    if after and slot in draft.after:
        return draft.after[slot]
    node, name, side = slot
    surface = ground.surface(node)
    assert surface is not None  # a link's ends are agents of the ground
    if side == "payload":
        return surface.topics.get(name)
    return surface.methods.get(name, (None, None))[0 if side == "input" else 1]


# By text: the same pairs are asked in each round, and again by the gates of a commit.
@lru_cache(maxsize=20_000)
def _check_contracts(producer: str, consumer: str) -> dict[str, Any]:
    verdict = contracts.check(_parse_contract(producer), _parse_contract(consumer))
    return {
        "compatible": verdict.compatible,
        "reasons": tuple(reason.message for reason in verdict.reasons),
        "counterexample": verdict.counterexample if verdict.has_counterexample else None,
    }


def _describe_changes(slot: Slot, before: JsonSchema | None, after: JsonSchema | None) -> list[dict[str, Any]]:
    """The typed changes of one contract; `breaking` as seen from its own side."""
    node, name, side = slot
    symbol = f"{node} -> {name}" if side == "payload" else f"{node}.{name}"
    common = {"symbol": symbol, "side": side, "slot": slot}
    if before is None:
        # Declaring what was not declared breaks nobody, since nobody could rely on it.
        return [
            {**common, "kind": "declared", "path": "", "breaking": False, "message": f"{symbol} declares its {side}"}
        ]
    if after is None:
        return [
            {**common, "kind": "undeclared", "path": "", "breaking": True, "message": f"{symbol} has no {side} now"}
        ]
    where = "input" if side == "input" else "output"
    return [
        {**common, **change}
        for change in _compare_contracts(_render_canonical(before), _render_canonical(after), where)
    ]


@lru_cache(maxsize=20_000)
def _compare_contracts(before: str, after: str, where: str) -> list[dict[str, Any]]:
    differences = contracts.changes(_parse_contract(before), _parse_contract(after))
    return [
        {"kind": c.kind, "path": c.path, "breaking": where in c.may_break, "message": c.message} for c in differences
    ]


@lru_cache(maxsize=20_000)
def _parse_contract(schema: str) -> contracts.Contract:
    return contracts.Contract.from_json_schema(json.loads(schema))


def _render_canonical(schema: JsonSchema) -> str:
    return json.dumps(schema, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
