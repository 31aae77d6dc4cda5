"""How the questions of the proposal negotiation are told (seed 000): cards, proposals, evaluations, history.

What each agent is told is what its ask carries, and nothing else (design §6.11).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from graphbus_core.negotiation.core import Ask, Json
from graphbus_core.participants.llm.words import prompts
from graphbus_core.participants.llm.words.contract_text import contract_text
from graphbus_core.participants.llm.words.prompts import FIELD_MAX, HISTORY_MAX, MAP_MAX
from graphbus_core.participants.llm.words.registry import Facts, Family, Question, register
from graphbus_core.participants.llm.words.writing import compact, cut, ends, fence, lines


def card_text(card: Json) -> str:
    """One agent's contracts, and its source where the card has it."""
    said = []
    for m in card.get("methods") or ():
        said.append(f"{m['name']}: {contract_text(m.get('input'))} -> {contract_text(m.get('output'))}")
    said += [f"publishes {t['topic']}: {contract_text(t.get('payload'))}" for t in card.get("topics") or ()]
    said += [f"subscribes {s['topic']} by {s.get('handler')}" for s in card.get("subscriptions") or ()]
    if card.get("depends_on"):
        said.append(f"depends on {', '.join(card['depends_on'])}")
    return "\n".join(said) or "no contracts"


@lru_cache(maxsize=1_024)  # a class is told in every question of its agent, and seldom changes
def _without_role(source: str, instead: str = "...  # your role, above") -> str:
    """The source with the text of SYSTEM_PROMPT left out: it stands above as the role, or concerns nobody else."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return source
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == _ROLE for t in node.targets):
            told = ast.get_source_segment(source, node.value)
            if told and len(told) > len(instead):
                return source.replace(told, instead, 1)
    return source


_ROLE = "SYSTEM_PROMPT"


def _know(about: Json) -> str:
    parts = []
    card = about.get("card")
    if isinstance(card, Mapping):
        label = f"{card.get('name')}, {card.get('file')}"
        parts.append("## Your contracts and source\n" + fence(card_text(card), f"contracts of {label}"))
        if card.get("around"):
            parts.append(fence(str(card["around"]), f"the rest of {card.get('file')}, in short"))
        if card.get("source"):
            source = _without_role(str(card["source"]).rstrip())
            parts.append(fence(source, f"source of {label}"))
    if neighbours := about.get("neighbours"):
        parts.append("## Your neighbours' contracts\n" + fence(_cards(neighbours), "contracts of neighbours"))
    return "\n\n".join(parts)


def _cards(cards: Iterable[Json]) -> str:
    return "\n\n".join(map(_titled, cards))


def _titled(card: Json) -> str:
    return f"{card.get('name')} ({card.get('file')})\n{card_text(card)}"


def _proposal(proposal: Json) -> str:
    """A proposal as material: its words, its operations one a line, its bodies as text."""
    head = [f"{k}: {cut(compact(proposal[k]))}" for k in _SHOWN if proposal.get(k)]
    return "\n".join([*head, "diff:", *_operations(proposal.get("diff") or proposal.get("operations") or ())])


_SHOWN = ("proposal_id", "proposer", "round", "type", "summary", "rationale", "affected_agents", "answers_to")


def _operations(diff: Any) -> Iterable[str]:
    for op in diff if isinstance(diff, list | tuple) else [diff]:
        if not isinstance(op, Mapping):
            yield compact(op)
            continue
        code = {k: v for k, v in op.items() if k in ("body", "source", "old", "new") and isinstance(v, str)}
        yield compact({k: ("below" if k in code else v) for k, v in op.items()})
        for key, text in code.items():
            mark = {"old": "-", "new": "+"}.get(key, " ")  # what goes and what comes, as in a diff
            yield "\n".join(f"  {mark} {line}" for line in cut(text, 4 * FIELD_MAX).splitlines())


def _evaluation(e: Json) -> str:
    keep = ("evaluator", "agent", "proposal_id", "decision", "reasoning", "concerns", "suggestions")
    return cut(compact({k: e[k] for k in keep if e.get(k)}))


def _history(history: Any) -> list[str]:
    entries = list(history or ())[-HISTORY_MAX:]
    return [fence("\n".join(ends(compact(e), 700) for e in entries), "your history, oldest first")] if entries else []


def _mismatch(m: Json) -> str:
    text = f"{m.get('producer')} => {m.get('consumer')}: {'; '.join(m.get('reasons') or ())}"
    return cut(text + (f"; for example {compact(m['counterexample'])}" if m.get("counterexample") is not None else ""))


def _tell_propose(ask: Ask, facts: Facts) -> str:
    about = ask.about
    parts = [f"## Round {about.get('round', 1)}"]
    if about.get("intent"):
        parts.append(f"The user's intent: {cut(str(about['intent']))}\n{prompts.INTENT}")
    if about.get("along"):
        parts.append(fence(_path(about["along"]), "the path beyond your neighbours; you may propose for these, too"))
    for one in about.get("sources") or ():
        text = _without_role(str(one["source"]).rstrip(), "...")
        parts.append(fence(text, f"source of {one['name']}, {one['file']}"))
    if about.get("goals"):
        parts.append("Goals: " + ", ".join(map(str, about["goals"])))
    if about.get("mismatches"):
        parts.append(fence("\n".join(map(_mismatch, about["mismatches"])), "open mismatches, producer => consumer"))
    parts += _others(about.get("tabled"), "on the table already for this round")
    parts += _history(about.get("history"))
    if about.get("limits"):
        parts.append(f"Limits: {compact(about['limits'])}")
    return "\n\n".join(parts)


def _tell_evaluate(ask: Ask, facts: Facts) -> str:
    about = ask.about
    parts = [f"## Round {about.get('round', 1)}"]
    if about.get("intent"):
        parts.append(f"The user's intent: {cut(str(about['intent']))}")
    parts += _history(about.get("history"))
    parts.append(fence(_proposal(about.get("proposal") or {}), "proposal"))
    parts.append(fence(lines(about.get("computed") or {}), "computed by the engine"))
    parts += _others(about.get("competing"), "others of this round that want the same changed; you are asked of each")
    return "\n\n".join(parts)


def _path(cards: Iterable[Json]) -> str:
    """Cards in as few lines as they take, up to MAP_MAX characters; the last one whole."""
    said: list[str] = []
    for card in cards:
        said.append(_titled(card))
        if sum(map(len, said)) > MAP_MAX:
            return "\n".join(said[:-1] or [cut(said[0], MAP_MAX)])
    return "\n".join(said)


def _others(proposals: Any, label: str) -> list[str]:
    return [fence("\n".join(cut(compact(p), 600) for p in proposals), label)] if proposals else []


def _fields(about: Json) -> str:
    return f"They differ in {', '.join(map(str, about['fields']))}." if about.get("fields") else ""


def _tell_arbitrate(ask: Ask, facts: Facts) -> str:
    about = ask.about
    computed = about.get("computed") or {}
    parts = [f"## Round {about.get('round', 1)}"]
    if about.get("intent"):
        parts.append(f"The user's intent: {cut(str(about['intent']))}")
    if about.get("why"):
        parts.append(fence(f"{cut(str(about['why']))} {_fields(about)}".rstrip(), "why you are asked"))
    if about.get("history"):
        fates = [ends(compact(e), 500) for e in list(about["history"])[-3 * HISTORY_MAX :]]
        parts.append(fence("\n".join(fates), "history of this build, oldest first"))
    for proposal in about.get("proposals") or ():
        name = str(proposal.get("proposal_id"))
        parts.append(fence(_proposal(proposal), f"proposal {name}"))
        if name in computed:
            parts.append(fence(lines(computed[name]), f"computed by the engine for {name}"))
    if others := [c for c in about.get("cards") or () if c.get("name") != ask.to]:
        parts.append(fence(_cards(others), "contracts of those whom the diffs touch"))
    said = [_evaluation(e) for e in about.get("evaluations") or ()]
    if said:
        parts.append(fence("\n".join(said), "evaluations"))
    return "\n\n".join(parts)


PROPOSAL = register(
    Family(
        "proposal",
        prompts.PROPOSAL_RULES,
        _know,
        {
            "propose": Question("propose", prompts.PROPOSE, prompts.PROPOSE_ANSWER, _tell_propose),
            "evaluate": Question("evaluate", prompts.EVALUATE, prompts.EVALUATE_ANSWER, _tell_evaluate),
            "arbitrate": Question("arbitrate", prompts.ARBITRATE, prompts.ARBITRATE_ANSWER, _tell_arbitrate),
        },
    )
)
