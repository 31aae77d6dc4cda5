"""What `graphbus build` says of a build: lines for people, one object for programs."""

from __future__ import annotations

from typing import Any

from graphbus_core.shown import counted, shown

MAX_NAMED = 5


def as_dict(artifacts: Any) -> dict[str, Any]:
    from graphbus_core.workspace.does.building import told

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
        "one_place": {name: one.why for name, one in _in_one_place(artifacts).items()},
        "negotiation": told(artifacts),
        **(linked.to_dict() if linked else {}),
    }


def as_text(artifacts: Any, path: str) -> str:
    linked = artifacts.linked
    order = artifacts.graph.get_agent_activation_order()
    shown = " -> ".join(order[:12]) + (f" -> … ({len(order)} in all)" if len(order) > 12 else "")
    counts = [(artifacts.agents, "agent"), (linked.links, "link"), (artifacts.topics, "topic")]
    made = ", ".join(counted(len(things), what) for things, what in counts)
    lines = [
        f"Built {made} into {artifacts.output_dir} ({artifacts.build_id}).",
        f"Activation order: {shown}",
    ]
    if alone := _in_one_place(artifacts):
        lines.append(_places(alone, len(artifacts.agents)))
    if artifacts.modified_files:
        lines.append(f"Modified: {', '.join(artifacts.modified_files)}")
    lines += [str(one) for one in (*linked.ambiguous, *linked.dangling, *linked.unreadable)]
    if artifacts.data_files:
        from graphbus_core.workspace.does.building import of_data_files

        lines.append(of_data_files(artifacts))
    if linked.mismatches:
        lines.append(
            f"{_unfit(len(linked.mismatches))}: `graphbus validate {path}` says why, {_next(artifacts, path)}."
        )
    return "\n".join(lines)


def _in_one_place(artifacts: Any) -> dict[str, Any]:
    from graphbus_core.workspace.shows import placed

    return {agent.name: one for agent in artifacts.agents if (one := placed(agent)) is not None}


def _places(alone: dict[str, Any], number: int) -> str:
    """Which nodes several processes may share over a bus (`graphbus run --bus`), and which not."""
    named = ", ".join(f"{name} ({one.why})" for name, one in list(alone.items())[:MAX_NAMED])
    more = f", … ({len(alone)} in all)" if len(alone) > MAX_NAMED else ""
    others = " Several processes can share the others." if len(alone) < number else ""
    return f"Over a bus, one process at a time runs {named}{more}.{others}"


def _unfit(number: int) -> str:
    return f"{counted(number, 'link')} {'does' if number == 1 else 'do'} not fit"


def _next(artifacts: Any, path: str) -> str:
    """What ends a mismatch that still stands: never the command that was just run."""
    if not artifacts.negotiation:
        return f"`graphbus build {path} --enable-agents` negotiates"
    if any(one["choice"] is None for one in artifacts.negotiation.questions):
        return f"`graphbus build {path} --enable-agents --approve` asks you, --answers FILE answers by script"
    return "`graphbus why PRODUCER CONSUMER` says why nobody proposed, and a model (--model) may know more"


def findings_text(found: list[str]) -> str:
    """What is to be looked at, and what the command ends with for it."""
    return shown(f"Findings (exit code 1): {'; '.join(one.removesuffix('.') for one in found)}.")
