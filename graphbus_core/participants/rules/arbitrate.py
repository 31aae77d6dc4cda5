"""How a rule arbiter rules: correctness, then compatibility, then simplicity, then the proposer's intent (seed 000)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def arbitrate(about: Mapping[str, Any]) -> dict[str, Any]:
    """Accept the best of what lies on the table if it breaks nobody; reject otherwise."""
    computed: Mapping[str, Any] = about.get("computed", {})
    ranked = sorted(about["proposals"], key=lambda p: _rank(p, computed.get(p["proposal_id"], {})))
    best = ranked[0]
    effects = computed.get(best["proposal_id"], {})
    breaks = len(effects.get("breaks", ()))
    closes = len(effects.get("fixes", ()))
    if breaks:
        ruling = f"It would leave {breaks} link{'s' * (breaks != 1)} that do not fit: correctness comes first."
        return {"decision": "reject", "ruling": ruling, "proposal_id": best["proposal_id"]}
    others = f" over {len(ranked) - 1} that touch the same field" if len(ranked) > 1 else ""
    mends = f" and closes {closes} mismatch{'es' * (closes != 1)}" if closes else ""
    ruling = f"It breaks no link{mends}; of what would do, it changes least. I take it{others}."
    return {"decision": "accept", "ruling": ruling, "proposal_id": best["proposal_id"]}


def _rank(proposal: Mapping[str, Any], effects: Mapping[str, Any]) -> tuple[Any, ...]:
    return (
        len(effects.get("breaks", ())),  # correctness
        -len(effects.get("fixes", ())),
        effects.get("type") == "breaking_change",  # compatibility
        len(proposal["diff"]),  # simplicity
        -float(proposal.get("confidence", 0)),  # the proposer's intent
        proposal["proposal_id"],
    )
