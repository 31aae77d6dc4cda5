"""`graphbus inspect`: agents, contracts, links and topics of a project or of a build."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from graphbus_core.cli import options
from graphbus_core.suggestions import suggest_names
from graphbus_core.text import escape_text, format_count

app = typer.Typer(add_completion=False)


@app.command()
def inspect(
    path: Annotated[str, typer.Argument(help="A folder of agents, a dotted package, or a build (.graphbus).")],
    node: Annotated[str | None, typer.Argument(help="One node, in full.")] = None,
    as_json: options.AsJson = False,
) -> None:
    """Show what a project declares, from its source, or what a build holds."""
    from graphbus_core.errors import UsageError
    from graphbus_core.services.validation import read_declaration

    declaration = read_declaration(path)
    if declaration.warning is not None:
        typer.echo(f"graphbus: {declaration.warning}", err=True)
    agents, graph = list(declaration.agents), declaration.graph
    if node is not None:
        selected = next((a for a in agents if a.name == node), None)
        if selected is None:
            names = [a.name for a in agents]
            near = suggest_names(node, names, sure=True)
            hint = f" Did you mean {near[0]}?" if near else f" It has {', '.join(names[:20])}."
            raise UsageError(f"There is no node {node!r} in {path}.{hint}")
        agents = [selected]
    if as_json:
        import json

        report = agents[0].to_dict() if node else {"agents": [a.to_dict() for a in agents], "graph": graph.to_dict()}
        typer.echo(json.dumps(report, ensure_ascii=False))
    else:
        typer.echo(escape_text(_render_node(agents[0], graph) if node else _render_project(agents, graph)))


def _render_project(agents: list[Any], graph: Any) -> str:
    by_name = {a.name: a for a in agents}
    lines = [f"{format_count(len(agents), 'agent')}, in the order of activation:"]
    for name in graph.get_agent_activation_order():
        agent = by_name[name]
        needs = graph.needs(name)
        alone = "  (one place)" if agent.metadata.get("one_place") else ""
        lines.append(
            f"  {name}{'  (arbiter)' if agent.is_arbiter else ''}{alone}  {agent.source_file}"
            + (f"  needs {', '.join(needs)}" if needs else "")
        )
        lines += [f"      {_render_method(m)}" for m in agent.methods]
        lines += [f"      on {s.topic} -> {s.handler_name}" for s in agent.subscriptions]
        lines += [f"      publishes {p.topic}{_render_payload(p.schema)}" for p in agent.publications]
    if graph.links:
        lines += [
            "Links:",
            *(
                f"  {data_link.producer}  =>  {data_link.consumer}  ({data_link.origin.value})"
                for data_link in graph.links
            ),
        ]
    return "\n".join(lines)


def _render_node(agent: Any, graph: Any) -> str:
    links = [data_link for data_link in graph.links if agent.name in (data_link.producer.node, data_link.consumer.node)]
    lines = [
        f"{agent.name}  {agent.source_file}:{agent.metadata.get('lineno', 1)}  ({agent.module}.{agent.class_name})",
        *(["  arbiter"] if agent.is_arbiter else []),
        *_render_places(agent),
        *([f"  model {agent.metadata['model']}"] if agent.metadata.get("model") else []),
        *(f"  | {line}" for line in agent.system_prompt.text.strip().splitlines()),
        *(f"  {_render_method(m)}" for m in agent.methods),
        *(f"  on {s.topic} -> {s.handler_name}" for s in agent.subscriptions),
        *(f"  publishes {p.topic}{_render_payload(p.schema)}" for p in agent.publications),
        *(f"  needs {name}" for name in graph.needs(agent.name)),
        *(f"  link {data_link.producer}  =>  {data_link.consumer}  ({data_link.origin.value})" for data_link in links),
    ]
    return "\n".join(lines)


def _render_places(agent: Any) -> list[str]:
    """Whether several processes may share the node over a bus. A build of the first edition does not say."""
    if "one_place" not in agent.metadata:
        return []
    alone = agent.metadata["one_place"]
    return [f"  runs in one process at a time: {alone['why']}" if alone else "  several processes can share its work"]


def _render_method(method: Any) -> str:
    return f"{method.name}{_render_payload(method.input_schema)} ->{_render_payload(method.output_schema)}"


def _render_payload(schema: Any) -> str:
    from graphbus_core.services.contract_diff import annotation

    return f" {annotation(schema.json_schema)}" if schema is not None else " (not declared)"
