"""What `graphbus build` says of a build: lines for people, one object for programs."""

from __future__ import annotations

from typing import Any


def as_dict(artifacts: Any) -> dict[str, Any]:
    linked = artifacts.linked
    return {
        "build_id": artifacts.build_id,
        "output_dir": artifacts.output_dir,
        "root": artifacts.root,
        "agents": [agent.name for agent in artifacts.agents],
        "topics": [topic.name for topic in artifacts.topics],
        "subscriptions": len(artifacts.subscriptions),
        "activation_order": artifacts.graph.get_agent_activation_order(),
        "modified_files": artifacts.modified_files,
        "committed": len(artifacts.negotiations),
        "dry_run": artifacts.dry_run,
        "data_files": list(artifacts.data_files),
        "negotiation": _negotiation(artifacts) if artifacts.negotiation else None,
        **(linked.to_dict() if linked else {}),
    }


def _negotiation(artifacts: Any) -> dict[str, Any]:
    """How it ended, what became of each proposal, and where the whole story is."""
    from pathlib import Path

    from graphbus_core.negotiation.proposal.told.projection import decided_by
    from graphbus_core.stores.builds.negotiations import Negotiations

    outcome = artifacts.negotiation
    fates = [
        {
            "id": p.proposal_id,
            "proposer": p.proposer,
            "round": p.round,
            "type": p.type,
            "summary": p.proposal.get("summary", ""),
            "outcome": p.outcome,
            "decided_by": decided_by(p),
            "why": p.why,
            "gate": p.failed_gate or None,
            "commit_id": None if artifacts.dry_run else p.commit_id or None,
            "files": list(p.files),
            "unified_diff": p.receipt.get("unified_diff", ""),
        }
        for p in outcome.proposals
    ]
    return {
        "ended": {"reason": outcome.reason, "why": outcome.why},
        "rounds": outcome.rounds,
        "log": str(Negotiations(Path(artifacts.output_dir)).log_path(artifacts.build_id)),
        "proposals": fates,
        "unheard": list(outcome.unheard),
        "silent": list(outcome.silent),
    }


def as_text(artifacts: Any, path: str) -> str:
    linked = artifacts.linked
    order = artifacts.graph.get_agent_activation_order()
    shown = " -> ".join(order[:12]) + (f" -> … ({len(order)} in all)" if len(order) > 12 else "")
    counts = [(artifacts.agents, "agent"), (linked.links, "link"), (artifacts.topics, "topic")]
    made = ", ".join(_count(len(things), what) for things, what in counts)
    lines = [
        f"Built {made} into {artifacts.output_dir} ({artifacts.build_id}).",
        f"Activation order: {shown}",
    ]
    if artifacts.modified_files:
        lines.append(f"Modified: {', '.join(artifacts.modified_files)}")
    lines += [str(one) for one in (*linked.ambiguous, *linked.dangling, *linked.unreadable)]
    if artifacts.data_files:
        from graphbus_core.build.data_files import sentence

        lines.append(sentence(artifacts.data_files))
    if linked.mismatches:
        lines.append(
            f"{_count(len(linked.mismatches), 'link')} {'does' if len(linked.mismatches) == 1 else 'do'} not fit: "
            f"`graphbus validate {path}` says why, `graphbus build {path} --enable-agents` negotiates."
        )
    return "\n".join(lines)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
