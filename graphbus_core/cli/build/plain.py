"""What `graphbus build` says of a build: lines for people, one object for programs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from graphbus_core.text import escape_text, format_count

# `graphbus build PATH` as it is mostly said, without the cost of a command-line library: a tenth of a rebuild.
#
# Only a path, where the build goes, and `--json`. Whatever else is said, and whatever goes wrong, is left to the full
# reader, which also says what is wrong.


def quick(args: list[str]) -> int | None:
    """Build if the words are plain. None: they are not, or it cannot be built; nothing was done."""
    rest, path, output, as_json = iter(args), "", None, False
    for arg in rest:
        if arg == "--json":
            as_json = True
        elif arg in ("-o", "--output-dir"):
            output = next(rest, "")
            if not output or output.startswith("-"):
                return None
        elif path or arg.startswith("-"):
            # Anything else is left to the full reader, which knows how to refuse it.
            return None
        else:
            path = arg
    if not path:
        return None
    from graphbus_core.errors import GraphBusError
    from graphbus_core.services.build_command import build, collect_findings, resolve_config
    from graphbus_core.text import escape_text

    try:
        artifacts = build(resolve_config(path, output))
        finding_texts = collect_findings(artifacts)
    except GraphBusError:
        # It failed, and nothing was written: the full road runs it again and tells why in its own form.
        return None
    if as_json:
        import json

        print(json.dumps({**build_report(artifacts), "findings": finding_texts}, ensure_ascii=False))
    else:
        print(escape_text(render_build(artifacts, path)))
        if finding_texts:
            print(render_findings(finding_texts))
    return 1 if finding_texts else 0


MAX_NAMED = 5


def build_report(artifacts: Any) -> dict[str, Any]:
    from graphbus_core.services.build_command import describe_negotiation

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
        "gone_handlers": list(artifacts.gone_handlers),
        "one_place": {name: placement.why for name, placement in find_single_process_nodes(artifacts.agents).items()},
        "negotiation": describe_negotiation(artifacts),
        **(linked.to_dict() if linked else {}),
    }


def render_build(artifacts: Any, path: str) -> str:
    linked = artifacts.linked
    order = artifacts.graph.get_agent_activation_order()
    order_text = " -> ".join(order[:12]) + (f" -> … ({len(order)} in all)" if len(order) > 12 else "")
    counts = [(artifacts.agents, "agent"), (linked.links, "link"), (artifacts.topics, "topic")]
    counts_text = ", ".join(format_count(len(things), what) for things, what in counts)
    lines = [
        f"Built {counts_text} into {artifacts.output_dir} ({artifacts.build_id}).",
        f"Activation order: {order_text}",
    ]
    if alone := find_single_process_nodes(artifacts.agents):
        lines.append(render_single_process_nodes(alone, len(artifacts.agents)))
    if artifacts.gone_handlers:
        lines.append(_render_gone_handlers(artifacts.gone_handlers))
    if artifacts.modified_files:
        lines.append(f"Modified: {', '.join(artifacts.modified_files)}")
    lines += [str(notice) for notice in (*linked.ambiguous, *linked.dangling, *linked.unreadable)]
    if artifacts.data_files:
        from graphbus_core.services.build_command import describe_data_files

        lines.append(describe_data_files(artifacts))
    if linked.mismatches:
        from graphbus_core.services.build_findings import describe_unfit

        lines.append(
            f"{describe_unfit(linked.mismatches)}: `graphbus validate {path}` says why, "
            f"{_render_next_step(artifacts, path)}."
        )
    return "\n".join(lines)


def find_single_process_nodes(agents: Iterable[Any]) -> dict[str, Any]:
    """Those that one process at a time runs, with why."""
    from graphbus_core.services.queries import placed

    return {agent.name: placement for agent in agents if (placement := placed(agent)) is not None}


def render_single_process_nodes(alone: dict[str, Any], number: int) -> str:
    """Which nodes several processes may share over a bus (`graphbus run --bus`), and which not."""
    nodes_text = ", ".join(f"{name} ({placement.why})" for name, placement in list(alone.items())[:MAX_NAMED])
    more = f", … ({len(alone)} in all)" if len(alone) > MAX_NAMED else ""
    others = " Several processes can share the others." if len(alone) < number else ""
    return f"Over a bus, one process at a time runs {nodes_text}{more}.{others}{_render_groups(alone)}"


def _render_groups(alone: dict[str, Any]) -> str:
    """Which of these run in the same process, since they share an object."""
    groups: dict[str, list[str]] = {}
    for name, placement in alone.items():
        if placement.group:
            groups.setdefault(placement.group, []).append(name)
    texts = [", ".join(names[:MAX_NAMED]) + (", …" if len(names) > MAX_NAMED else "") for names in groups.values()]
    more = f" There are {len(texts)} such groups." if len(texts) > MAX_NAMED else ""
    told = "".join(f" The same one runs {text}: they share what one of them changes." for text in texts[:MAX_NAMED])
    return told + more


def _render_gone_handlers(handlers: tuple[str, ...]) -> str:
    """Which consumers a bus keeps events for that nobody will handle."""
    names = ", ".join(handlers[:MAX_NAMED]) + (f", … ({len(handlers)} in all)" if len(handlers) > MAX_NAMED else "")
    return (
        f"Gone since the last build: {names}. A bus that ran it keeps events for it: stop its processes, and "
        f"`graphbus run consumers retire --bus URL`."
    )


def _render_next_step(artifacts: Any, path: str) -> str:
    """What ends a mismatch that still stands: never the command that was just run."""
    if not artifacts.negotiation:
        return f"`graphbus build {path} --enable-agents` negotiates"
    if any(question["choice"] is None for question in artifacts.negotiation.questions):
        return f"`graphbus build {path} --enable-agents --approve` asks you, --answers FILE answers by script"
    return "`graphbus why PRODUCER CONSUMER` says why nobody proposed, and a model (--model) may know more"


def render_findings(finding_texts: list[str]) -> str:
    """What is to be looked at, and what the command ends with for it."""
    return escape_text(
        f"Findings (exit code 1): {'; '.join(finding_text.removesuffix('.') for finding_text in finding_texts)}."
    )
