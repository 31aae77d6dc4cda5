"""`graphbus inspect`: agents, contracts, links and topics of a project or of a build."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from graphbus_core.cli import options
from graphbus_core.nearest import near_names
from graphbus_core.shown import counted, shown

app = typer.Typer(add_completion=False)


@app.command()
def inspect(
    path: Annotated[str, typer.Argument(help="A folder of agents, a dotted package, or a build (.graphbus).")],
    node: Annotated[str | None, typer.Argument(help="One node, in full.")] = None,
    as_json: options.AsJson = False,
) -> None:
    """Show what a project declares, from its source, or what a build holds."""
    from graphbus_core.errors import UsageError
    from graphbus_core.workspace.shows.declared import declared

    found_there = declared(path)
    if found_there.warning is not None:
        typer.echo(f"graphbus: {found_there.warning}", err=True)
    agents, graph = list(found_there.agents), found_there.graph
    if node is not None:
        found = next((a for a in agents if a.name == node), None)
        if found is None:
            names = [a.name for a in agents]
            near = near_names(node, names, sure=True)
            hint = f" Did you mean {near[0]}?" if near else f" It has {', '.join(names[:20])}."
            raise UsageError(f"There is no node {node!r} in {path}.{hint}")
        agents = [found]
    if as_json:
        import json

        told = agents[0].to_dict() if node else {"agents": [a.to_dict() for a in agents], "graph": graph.to_dict()}
        typer.echo(json.dumps(told, ensure_ascii=False))
    else:
        typer.echo(shown(_node(agents[0], graph) if node else _project(agents, graph)))


def _project(agents: list[Any], graph: Any) -> str:
    by_name = {a.name: a for a in agents}
    lines = [f"{counted(len(agents), 'agent')}, in the order of activation:"]
    for name in graph.get_agent_activation_order():
        agent = by_name[name]
        needs = graph.needs(name)
        alone = "  (one place)" if agent.metadata.get("one_place") else ""
        lines.append(
            f"  {name}{'  (arbiter)' if agent.is_arbiter else ''}{alone}  {agent.source_file}"
            + (f"  needs {', '.join(needs)}" if needs else "")
        )
        lines += [f"      {_method(m)}" for m in agent.methods]
        lines += [f"      on {s.topic} -> {s.handler_name}" for s in agent.subscriptions]
        lines += [f"      publishes {p.topic}{_payload(p.schema)}" for p in agent.publications]
    if graph.links:
        lines += ["Links:", *(f"  {one.producer}  =>  {one.consumer}  ({one.origin.value})" for one in graph.links)]
    return "\n".join(lines)


def _node(agent: Any, graph: Any) -> str:
    links = [one for one in graph.links if agent.name in (one.producer.node, one.consumer.node)]
    lines = [
        f"{agent.name}  {agent.source_file}:{agent.metadata.get('lineno', 1)}  ({agent.module}.{agent.class_name})",
        *(["  arbiter"] if agent.is_arbiter else []),
        *_places(agent),
        *([f"  model {agent.metadata['model']}"] if agent.metadata.get("model") else []),
        *(f"  | {line}" for line in agent.system_prompt.text.strip().splitlines()),
        *(f"  {_method(m)}" for m in agent.methods),
        *(f"  on {s.topic} -> {s.handler_name}" for s in agent.subscriptions),
        *(f"  publishes {p.topic}{_payload(p.schema)}" for p in agent.publications),
        *(f"  needs {name}" for name in graph.needs(agent.name)),
        *(f"  link {one.producer}  =>  {one.consumer}  ({one.origin.value})" for one in links),
    ]
    return "\n".join(lines)


def _places(agent: Any) -> list[str]:
    """Whether several processes may share the node over a bus. A build of the first edition does not say."""
    if "one_place" not in agent.metadata:
        return []
    alone = agent.metadata["one_place"]
    return [f"  runs in one process at a time: {alone['why']}" if alone else "  several processes can share its work"]


def _method(method: Any) -> str:
    return f"{method.name}{_payload(method.input_schema)} ->{_payload(method.output_schema)}"


def _payload(schema: Any) -> str:
    from graphbus_core.workspace.compares import annotation

    return f" {annotation(schema.json_schema)}" if schema is not None else " (not declared)"
