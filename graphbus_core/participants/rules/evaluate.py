"""How a rule negotiator judges a peer's proposal: by the contracts, and a counterexample is the reason for a no."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def evaluate(about: Mapping[str, Any]) -> dict[str, Any]:
    """Accept what keeps every link of this agent; reject, with the payload that proves it, what breaks one."""
    name = about["card"]["name"]
    proposal, computed = about["proposal"], about["computed"]
    mine = [b for b in computed.get("breaks", ()) if _concerns(b["link"], name)]
    if mine:
        broken = mine[0]
        reasons = "; ".join(map(str, broken.get("reasons", ()))) or "the contracts would not fit"
        example = broken.get("counterexample")
        shown = f" A payload that proves it: {json.dumps(example, sort_keys=True)}." if example is not None else ""
        return _answer("reject", f"It would break {_link(broken['link'])}: {reasons}.{shown}", 1.0, [reasons])
    touches_me = any(op["node"] == name for op in proposal["diff"]) and proposal["proposer"] != name
    why = (
        "Every link that I am part of still fits after it"
        + (", my own contract included, which it changes." if touches_me else ".")
        + _closes(about, name)
    )
    return _answer("accept", why, 0.9, [])


def _closes(about: Mapping[str, Any], name: str) -> str:
    fixed = [m for m in about["computed"].get("fixes", ()) if _concerns(m, name)]
    return f" It closes the mismatch on {_link(fixed[0])}." if fixed else ""


def _concerns(link: Any, name: str) -> bool:
    if isinstance(link, str):
        return any(end.split(".")[0].split(" -> ")[0] == name for end in link.split(" => "))
    ends = (link["producer"], link["consumer"])
    return any((end["node"] if isinstance(end, Mapping) else str(end).split(".")[0]) == name for end in ends)


def _link(link: Any) -> str:
    if isinstance(link, str):
        return link

    def end(e: Any) -> str:
        if not isinstance(e, Mapping):
            return str(e)
        return f"{e['node']}.{e['method']}" if e.get("method") else f"{e['node']} -> {e.get('topic')}"

    return f"{end(link['producer'])} => {end(link['consumer'])}"


def _answer(decision: str, reasoning: str, confidence: float, concerns: list[str]) -> dict[str, Any]:
    return {
        "decision": decision,
        "reasoning": reasoning,
        "confidence": confidence,
        "counter_proposal": None,
        "concerns": concerns,
        "suggestions": [],
    }
