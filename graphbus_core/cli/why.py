"""`graphbus why Node.method.field`: which proposals made it what it is, across builds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphbus_core.cli import options
from graphbus_core.cli.negotiation_text import DIR_HELP, render_approval, render_operation, render_proposer
from graphbus_core.cli.options import resolve_output_dir
from graphbus_core.text import escape_line, escape_text, join_few

if TYPE_CHECKING:
    from graphbus_core.model.agent_def import AgentDefinition
    from graphbus_core.services.queries.negotiations import NegotiationLog

app = typer.Typer(help="Say which proposals made a method or a field what it is.")


@app.command()
def why(
    target: Annotated[
        str, typer.Argument(help="Node.method.field, Node.method, Node, 'Node -> /Topic', or land-3fa2c1.")
    ],
    consumer: Annotated[
        str | None, typer.Argument(help="With a second end: why the link from the first to this one is as it is.")
    ] = None,
    dir: Annotated[Path | None, typer.Option("--dir", help=DIR_HELP, show_default=".graphbus")] = None,
    every: Annotated[bool, typer.Option("--all", help="What was refused as well.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Newest first: who proposed it, why, what was said, the ruling, the commit, the date, and whether it was undone.

    Dry runs, which changed nothing, are told with --all. Exit code 1 where no proposal ever touched it, 2 where there
    is no such thing.
    """
    from graphbus_core.errors import UsageError
    from graphbus_core.services.landing import PREFIX, explain_landing

    if target.startswith(PREFIX):
        lines = explain_landing(Path.cwd(), target)
        print(json.dumps(lines, indent=2, ensure_ascii=False) if as_json else "\n".join(map(escape_line, lines)))
        return
    from graphbus_core.services.queries.negotiations import explain_unknown, find_causes, read_all_logs as every_log

    dir = resolve_output_dir(dir)
    reads = every_log(dir)
    logs = [entry.build_log() for entry in reads]
    findings = [finding for entry in reads for finding in entry.wrong]
    # Before the answer: who reads "never touched" must have read that a log was damaged.
    for entry in findings:
        typer.echo(str(entry), err=True)
    sound = all(entry.harmless for entry in findings)  # else nobody can say what the logs held
    if consumer is not None:
        _print_link(target, consumer, logs, as_json)
        return
    proposal_causes = find_causes(target, logs, every)
    # Only where all logs are sound. In a damaged one the name may stand behind the damage.
    if not proposal_causes and sound and (wrong := explain_unknown(target, logs, _load_built_agents(dir))):
        raise UsageError(wrong)
    if as_json:
        print(json.dumps([cause.to_dict() for cause in proposal_causes], indent=2, ensure_ascii=False))
    for cause in () if as_json else proposal_causes:
        print("\n".join(escape_text(line).replace("\n", "\n      ") for line in _render_cause(cause.to_dict())) + "\n")
    if not proposal_causes:
        if not as_json:
            print(
                _explain_untouched(target, logs, dir, sound) + _explain_contract_place(target, _load_built_agents(dir))
            )
        raise typer.Exit(1)


def _print_link(producer: str, consumer: str, logs: Sequence[NegotiationLog], as_json: bool) -> None:
    """Why a link is as the newest negotiation left it. Exit code 1 where it does not fit."""
    from graphbus_core.errors import UsageError
    from graphbus_core.services.queries.negotiations import explain_link, find_link, list_links

    link = find_link(logs[0], producer, consumer)
    if link is None:
        known_links = list_links(logs)
        raise UsageError(
            f"The newest build knows no link from {producer} to {consumer}. "
            + (f"Its links: {join_few(known_links, 8)}." if known_links else "It has no links.")
        )
    lines = list(explain_link(logs[0], link))
    if as_json:
        print(json.dumps({"link": link, "build_id": logs[0].build_id, "why": lines}, indent=2, ensure_ascii=False))
    else:
        print("\n  ".join([link, *(escape_line(line) for line in lines)]))
    if not lines[0].startswith("it fits"):
        raise typer.Exit(1)


def _explain_untouched(target: str, logs: Sequence[NegotiationLog], folder: Path, sound: bool) -> str:
    dry = sum(log.dry_run for log in logs)
    where = f"the {len(logs)} builds" if len(logs) > 1 else "the one build"
    dry_run_note = (
        f" ({dry} of them {'was a dry run' if dry == 1 else 'were dry runs'}, told with --all)" if dry else ""
    )
    nobody = f"No proposal touched {target} in {where} of {folder}{dry_run_note}"
    return f"{nobody}: it is as its author wrote it." if sound else f"{nobody}, as far as their logs are sound."


def _explain_contract_place(target: str, agents: Sequence[AgentDefinition]) -> str:
    """Where a contract stands that is not written in the code."""
    for agent in agents:
        for method in agent.methods:
            places = method.metadata.get("beside")
            if places and f"{target}.".startswith(f"{agent.name}.{method.name}."):
                return f" Its contract stands at {' and '.join(places.values())}."
    return ""


def _load_built_agents(folder: Path) -> Sequence[AgentDefinition]:
    """The agents of the newest build, which may know what no negotiation saw."""
    from graphbus_core.errors import ArtifactError
    from graphbus_core.services.queries import ArtifactFolder

    try:
        return ArtifactFolder(folder).all_agents
    except ArtifactError:
        return ()


def _render_cause(cause: Mapping[str, Any]) -> Iterator[str]:
    """One proposal's part in it, line by line."""
    from graphbus_core.services.queries.negotiations import render_gates

    date = f"{cause['at'][:10]}, " if cause["at"] else ""
    yield escape_line(f"{cause['proposal_id']}  {render_proposer(cause)}: {cause['summary']}")
    end = "would be committed" if cause["dry_run"] and cause["outcome"] == "committed" else cause["outcome"]
    end += ", taken back" if cause["undone"] else ""
    yield f"  {date}{cause['build_id']}, round {cause['round']}, {cause['type'].replace('_', ' ')}, {end}"
    if cause["dry_run"]:
        yield "  a dry run: nothing was changed"
    for op in cause["operations"]:
        yield f"  change: {render_operation(op)}"
    if cause["rationale"]:
        yield f"  why: {cause['rationale']}"
    for evaluation in cause["evaluations"]:
        reasoning = f" - {evaluation['reasoning']}" if evaluation["reasoning"] else ""
        yield f"  {evaluation['agent']}: {(evaluation['decision'] or 'silent').replace('_', ' ')}{reasoning}"
    if cause["ruling"]:
        yield f"  {cause['ruling']['arbiter']} ruled {cause['ruling']['decision']}: {cause['ruling']['ruling']}"
    if approved := cause.get("approved"):
        yield f"  {render_approval(approved)}"
    if cause["dry_run"] and cause["outcome"] == "committed":
        yield f"  no commit ({cause['consensus']}); it would change {', '.join(cause['files'])}"
    elif cause["commit_id"]:
        yield f"  commit {cause['commit_id']} ({cause['consensus']}): {', '.join(cause['files'])}"
    else:
        yield f"  {cause['outcome'].replace('_', ' ')}: {cause['why']}"
    yield from (f"  {line}" for line in render_gates(cause["gates"]))
    if cause["undone"]:
        day = f" on {cause['undone']['at'][:10]}" if cause["undone"]["at"] else ""
        undo = f"graphbus undo {cause['proposal_id']}"
        yield f"  taken back{day} by `{undo}`: the commit {cause['commit_id']} stands no more"
