"""How the questions of the proposal negotiation are told (seed 000): cards, proposals, evaluations, history.

What each agent is told is what its ask carries, and nothing else (design §6.11).
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from graphbus_core.contracts.parsing.json_schema import SILENT
from graphbus_core.contracts.parsing.type_forms import WORDS
from graphbus_core.negotiation.core import Ask, Json
from graphbus_core.participants.llm import prompts
from graphbus_core.participants.llm.prompts import (
    FIELD_MAX,
    HISTORY_MAX,
    MAP_MAX,
    Facts,
    Family,
    Question,
    compact,
    cut,
    cut_middle,
    register,
    render_lines,
    wrap_in_fence,
)

# A contract in few characters: JSON Schema written the way a Python author would, for prompts.
#
# `{"type": "object", "properties": {"sku": {"type": "string"}}}` becomes `{sku?: str}`. What has no short form is
# written as JSON, so that nothing is lost; what is nested too deeply is cut with an ellipsis.


_TYPE_DEPTH_MAX = 12


def render_contract(schema: Mapping[str, Any] | None) -> str:
    """The contract in short; `undeclared` for None."""
    if schema is None:
        return "undeclared"
    return _render_type(schema, {**schema.get("definitions", {}), **schema.get("$defs", {})}, 0)


def _render_type(schema: Any, defs: Mapping[str, Any], depth: int) -> str:
    if schema is True or schema == {}:
        return "Any"
    if not isinstance(schema, Mapping):
        return json.dumps(schema)
    if depth > _TYPE_DEPTH_MAX:
        return "…"
    if isinstance(ref := schema.get("$ref"), str):
        return _render_type(defs.get(ref.rpartition("/")[2], True), defs, depth + 1)
    if "const" in schema:
        return f"Literal[{json.dumps(schema['const'])}]"
    if "enum" in schema:
        return f"Literal[{', '.join(json.dumps(v) for v in schema['enum'])}]"
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(dict.fromkeys(_render_type(s, defs, depth + 1) for s in schema[key]))
    return _render_by_kind(schema, defs, depth)


def _render_by_kind(schema: Mapping[str, Any], defs: Mapping[str, Any], depth: int) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(_render_type({**schema, "type": k}, defs, depth + 1) for k in kind)
    if kind == "object" or "properties" in schema:
        return _render_object(schema, defs, depth)
    if kind == "array":
        if "prefixItems" in schema:
            return f"tuple[{', '.join(_render_type(s, defs, depth + 1) for s in schema['prefixItems'])}]"
        return f"list[{_render_type(schema.get('items', True), defs, depth + 1)}]"
    rest = {k: v for k, v in schema.items() if k != "type" and k not in SILENT}
    if isinstance(kind, str) and kind in WORDS:
        return WORDS[kind] + (f"({json.dumps(rest)[1:-1]})" if rest else "")
    return json.dumps({k: v for k, v in schema.items() if k not in SILENT}) if rest or kind else "Any"


def _render_object(schema: Mapping[str, Any], defs: Mapping[str, Any], depth: int) -> str:
    fields: Mapping[str, Any] = schema.get("properties", {})
    extra = schema.get("additionalProperties")
    if not fields and isinstance(extra, Mapping):
        return f"dict[str, {_render_type(extra, defs, depth + 1)}]"
    if not fields:
        return "dict" if extra is not False else "{}"
    required = set(schema.get("required", ()))
    inner = (f"{n}{'' if n in required else '?'}: {_render_type(s, defs, depth + 1)}" for n, s in fields.items())
    return "{" + ", ".join(inner) + "}"


# How the questions of the document negotiation are told (seed 004): sources, issues, what is owed, the decisions.


def _tell_document_context(about: Json) -> str:
    parts = [wrap_in_fence(str(about.get("topic") or "").strip(), "topic")]
    if about.get("agents"):
        parts.append(f"At the table: {', '.join(about['agents'])}.")
    # Sources are what the negotiation is about: they are told whole.
    parts += [
        wrap_in_fence(str(text).rstrip(), f"source {name}") for name, text in (about.get("sources") or {}).items()
    ]
    return "\n\n".join(parts)


def _render_issue(issue: Json, may: bool = True) -> str:
    """One issue with everything that was said on it."""
    texts = [str(issue.get("text") or "").rstrip()]
    for entry in issue.get("entries") or ():
        texts.append(f"## {entry.get('by')}'s {entry.get('kind')} (round {entry.get('round')})\n{entry.get('text')}")
    if issue.get("decision"):
        texts.append(f"## Decision\n{issue['decision']}")
    text = wrap_in_fence(cut("\n\n".join(texts), 6 * prompts.FIELD_MAX), f"issue {issue.get('issue')}")
    notes = [f"{issue.get('issue')} is {issue.get('status')}"]  # its title is somebody's words, and heads its text
    if may:
        if issue.get("you_owe_a_word"):
            notes.append("you owe it a position")
        if issue.get("you_may_agree"):
            offers = [f"{o.get('hash')} of {o.get('by')}" for o in issue.get("offers") or ()]
            notes.append(f"you may accept {' or '.join(offers)}" if offers else "you may offer a decision")
        if issue.get("your_last_round"):
            notes.append("this is your last round on it: accept, make your last offer, or mark it ESCALATE")
    return f"### {'; '.join(notes)}\n{text}"


def _tell_turn(ask: Ask, facts: Facts) -> str:
    about = ask.about
    settings = about.get("settings") or {}
    parts = [f"## Turn {about.get('turn')}"]
    if rounds := settings.get("max_rounds"):
        parts.append(f"Each agent has {rounds} rounds on an issue.")
    parts += [_render_issue(issue) for issue in about.get("issues") or ()]
    if not about.get("may_file", True):
        parts.append("You may file no new issue any more.")
    return "\n\n".join(parts)


def _tell_issues(ask: Ask, facts: Facts) -> str:
    titles = [f"{i.get('title')}" for i in ask.about.get("issues") or ()]
    return wrap_in_fence("\n".join(titles), "issues filed already") if titles else "No issue is filed yet."


def _tell_final(ask: Ask, facts: Facts) -> str:
    about = ask.about
    parts = []
    for key, label in (("decisions", "agreed"), ("unresolved", "left open, with its summary")):
        parts += [
            wrap_in_fence(f"{d.get('title')}\n\n{d.get('text')}", f"{label}: {d.get('issue')}")
            for d in about.get(key) or ()
        ]
    if about.get("draft"):
        signed = ", ".join(about.get("signed") or ()) or "nobody yet"
        parts.append(wrap_in_fence(str(about["draft"]), f"the document {about.get('hash')}, accepted by {signed}"))
    if left_out := about.get("left_out"):
        parts.append(wrap_in_fence("\n".join(left_out), "what it leaves out of the sources, undecided"))
    return "\n\n".join(parts)


def _tell_ruling(ask: Ask, facts: Facts) -> str:
    return _render_issue(ask.about.get("issue") or {}, may=False)


def _is_document(ask: Ask) -> bool:
    return "topic" in ask.about


_OBJECT: dict[str, Any] = {"type": "object"}

DOCUMENT = register(
    Family(
        "document",
        prompts.DOCUMENT_RULES,
        _tell_document_context,
        {
            "draft_issues": Question("draft_issues", prompts.DRAFT_ISSUES, _OBJECT, _tell_issues),
            "analysis": Question("analysis", prompts.ANALYSE, _OBJECT, _tell_issues),
            "turn": Question("turn", prompts.TURN, _OBJECT, _tell_turn),
            "write_final": Question("write_final", prompts.WRITE_FINAL, _OBJECT, _tell_final),
            "rule_issue": Question(
                "rule_issue", prompts.RULE_ISSUE, {"type": "object", "required": ["decision"]}, _tell_ruling
            ),
        },
        claims=_is_document,
    )
)


def render_card(card: Json) -> str:
    """One agent's contracts, and its source where the card has it."""
    rows = []
    for m in card.get("methods") or ():
        rows.append(f"{m['name']}: {render_contract(m.get('input'))} -> {render_contract(m.get('output'))}")
    rows += [f"publishes {t['topic']}: {render_contract(t.get('payload'))}" for t in card.get("topics") or ()]
    rows += [f"subscribes {s['topic']} by {s.get('handler')}" for s in card.get("subscriptions") or ()]
    if card.get("depends_on"):
        rows.append(f"depends on {', '.join(card['depends_on'])}")
    return "\n".join(rows) or "no contracts"


@lru_cache(maxsize=1_024)  # a class is told in every question of its agent, and seldom changes
def _omit_role(source: str, instead: str = "...  # your role, above") -> str:
    """The source with the text of SYSTEM_PROMPT left out: it stands above as the role, or concerns nobody else."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return source
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == _ROLE for t in node.targets):
            role_text = ast.get_source_segment(source, node.value)
            if role_text and len(role_text) > len(instead):
                return source.replace(role_text, instead, 1)
    return source


_ROLE = "SYSTEM_PROMPT"


def _tell_agent_context(about: Json) -> str:
    parts = []
    card = about.get("card")
    if isinstance(card, Mapping):
        label = f"{card.get('name')}, {card.get('file')}"
        parts.append("## Your contracts and source\n" + wrap_in_fence(render_card(card), f"contracts of {label}"))
        if card.get("around"):
            parts.append(wrap_in_fence(str(card["around"]), f"the rest of {card.get('file')}, in short"))
        if card.get("source"):
            source = _omit_role(str(card["source"]).rstrip())
            parts.append(wrap_in_fence(source, f"source of {label}"))
    if neighbours := about.get("neighbours"):
        parts.append(
            "## Your neighbours' contracts\n" + wrap_in_fence(_render_cards(neighbours), "contracts of neighbours")
        )
    return "\n\n".join(parts)


def _render_cards(cards: Iterable[Json]) -> str:
    return "\n\n".join(map(_render_titled_card, cards))


def _render_titled_card(card: Json) -> str:
    return f"{card.get('name')} ({card.get('file')})\n{render_card(card)}"


def _render_proposal(proposal: Json) -> str:
    """A proposal as material: its words, its operations one a line, its bodies as text."""
    head = [f"{k}: {cut(compact(proposal[k]))}" for k in _SHOWN if proposal.get(k)]
    return "\n".join([*head, "diff:", *_render_operations(proposal.get("diff") or proposal.get("operations") or ())])


_SHOWN = ("proposal_id", "proposer", "round", "type", "summary", "rationale", "affected_agents", "answers_to")


def _render_operations(diff: Any) -> Iterable[str]:
    for op in diff if isinstance(diff, list | tuple) else [diff]:
        if not isinstance(op, Mapping):
            yield compact(op)
            continue
        code = {k: v for k, v in op.items() if k in ("body", "source", "old", "new") and isinstance(v, str)}
        yield compact({k: ("below" if k in code else v) for k, v in op.items()})
        for key, text in code.items():
            mark = {"old": "-", "new": "+"}.get(key, " ")  # what goes and what comes, as in a diff
            yield "\n".join(f"  {mark} {line}" for line in cut(text, 4 * FIELD_MAX).splitlines())


def _render_evaluation(e: Json) -> str:
    keep = ("evaluator", "agent", "proposal_id", "decision", "reasoning", "concerns", "suggestions")
    return cut(compact({k: e[k] for k in keep if e.get(k)}))


def _render_history(history: Any) -> list[str]:
    entries = list(history or ())[-HISTORY_MAX:]
    return (
        [wrap_in_fence("\n".join(cut_middle(compact(e), 700) for e in entries), "your history, oldest first")]
        if entries
        else []
    )


def _render_mismatch(m: Json) -> str:
    text = f"{m.get('producer')} => {m.get('consumer')}: {'; '.join(m.get('reasons') or ())}"
    return cut(text + (f"; for example {compact(m['counterexample'])}" if m.get("counterexample") is not None else ""))


def _tell_propose(ask: Ask, facts: Facts) -> str:
    about = ask.about
    parts = [f"## Round {about.get('round', 1)}"]
    if about.get("intent"):
        parts.append(f"The user's intent: {cut(str(about['intent']))}\n{prompts.INTENT}")
    if about.get("along"):
        parts.append(
            wrap_in_fence(
                _render_path(about["along"]), "the path beyond your neighbours; you may propose for these, too"
            )
        )
    for source in about.get("sources") or ():
        text = _omit_role(str(source["source"]).rstrip(), "...")
        parts.append(wrap_in_fence(text, f"source of {source['name']}, {source['file']}"))
    if about.get("goals"):
        parts.append("Goals: " + ", ".join(map(str, about["goals"])))
    if about.get("mismatches"):
        parts.append(
            wrap_in_fence(
                "\n".join(map(_render_mismatch, about["mismatches"])), "open mismatches, producer => consumer"
            )
        )
    parts += _render_others(about.get("tabled"), "on the table already for this round")
    parts += _render_history(about.get("history"))
    if about.get("limits"):
        parts.append(f"Limits: {compact(about['limits'])}")
    return "\n\n".join(parts)


def _tell_evaluate(ask: Ask, facts: Facts) -> str:
    about = ask.about
    parts = [f"## Round {about.get('round', 1)}"]
    if about.get("intent"):
        parts.append(f"The user's intent: {cut(str(about['intent']))}")
    parts += _render_history(about.get("history"))
    parts.append(wrap_in_fence(_render_proposal(about.get("proposal") or {}), "proposal"))
    parts.append(wrap_in_fence(render_lines(about.get("computed") or {}), "computed by the engine"))
    parts += _render_others(
        about.get("competing"), "others of this round that want the same changed; you are asked of each"
    )
    return "\n\n".join(parts)


def _render_path(cards: Iterable[Json]) -> str:
    """Cards in as few lines as they take, up to MAP_MAX characters; the last one whole."""
    rows: list[str] = []
    for card in cards:
        rows.append(_render_titled_card(card))
        if sum(map(len, rows)) > MAP_MAX:
            return "\n".join(rows[:-1] or [cut(rows[0], MAP_MAX)])
    return "\n".join(rows)


def _render_others(proposals: Any, label: str) -> list[str]:
    return [wrap_in_fence("\n".join(cut(compact(p), 600) for p in proposals), label)] if proposals else []


def _render_fields(about: Json) -> str:
    return f"They differ in {', '.join(map(str, about['fields']))}." if about.get("fields") else ""


def _tell_arbitrate(ask: Ask, facts: Facts) -> str:
    about = ask.about
    computed = about.get("computed") or {}
    parts = [f"## Round {about.get('round', 1)}"]
    if about.get("intent"):
        parts.append(f"The user's intent: {cut(str(about['intent']))}")
    if about.get("why"):
        parts.append(wrap_in_fence(f"{cut(str(about['why']))} {_render_fields(about)}".rstrip(), "why you are asked"))
    if about.get("history"):
        fates = [cut_middle(compact(e), 500) for e in list(about["history"])[-3 * HISTORY_MAX :]]
        parts.append(wrap_in_fence("\n".join(fates), "history of this build, oldest first"))
    for proposal in about.get("proposals") or ():
        name = str(proposal.get("proposal_id"))
        parts.append(wrap_in_fence(_render_proposal(proposal), f"proposal {name}"))
        if name in computed:
            parts.append(wrap_in_fence(render_lines(computed[name]), f"computed by the engine for {name}"))
    if others := [c for c in about.get("cards") or () if c.get("name") != ask.to]:
        parts.append(wrap_in_fence(_render_cards(others), "contracts of those whom the diffs touch"))
    evaluations = [_render_evaluation(e) for e in about.get("evaluations") or ()]
    if evaluations:
        parts.append(wrap_in_fence("\n".join(evaluations), "evaluations"))
    return "\n\n".join(parts)


PROPOSAL = register(
    Family(
        "proposal",
        prompts.PROPOSAL_RULES,
        _tell_agent_context,
        {
            "propose": Question("propose", prompts.PROPOSE, prompts.PROPOSE_ANSWER, _tell_propose),
            "evaluate": Question("evaluate", prompts.EVALUATE, prompts.EVALUATE_ANSWER, _tell_evaluate),
            "arbitrate": Question("arbitrate", prompts.ARBITRATE, prompts.ARBITRATE_ANSWER, _tell_arbitrate),
        },
    )
)
