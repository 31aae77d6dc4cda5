"""`graphbus why Node.method.field`: which proposals made it what it is, across builds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphbus_core.cli import options
from graphbus_core.cli.logs.common import DIR_HELP, step
from graphbus_core.cli.options import output
from graphbus_core.shown import few, shown, shown_line

if TYPE_CHECKING:
    from graphbus_core.model.agent_def import AgentDefinition
    from graphbus_core.workspace.shows.logs import NegotiationLog

app = typer.Typer(help="Say which proposals made a method or a field what it is.")


@app.command()
def why(
    target: Annotated[str, typer.Argument(help="Node.method.field, Node.method, Node, or 'Node -> /Topic'.")],
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
    from graphbus_core.workspace.shows.logs import causes, every as every_log, unknown

    dir = output(dir)
    reads = every_log(dir)
    logs = [one.told() for one in reads]
    findings = [finding for one in reads for finding in one.wrong]
    # Before the answer: who reads "never touched" must have read that a log was damaged.
    for one in findings:
        typer.echo(str(one), err=True)
    sound = all(one.harmless for one in findings)  # else nobody can say what the logs held
    if consumer is not None:
        _link(target, consumer, logs, as_json)
        return
    found = causes(target, logs, every)
    # Only where all logs are sound. In a damaged one the name may stand behind the damage.
    if not found and sound and (wrong := unknown(target, logs, _built(dir))):
        raise UsageError(wrong)
    if as_json:
        print(json.dumps([cause.to_dict() for cause in found], indent=2, ensure_ascii=False))
    for cause in () if as_json else found:
        print("\n".join(shown(line).replace("\n", "\n      ") for line in _told(cause.to_dict())) + "\n")
    if not found:
        if not as_json:
            print(_untouched(target, logs, dir, sound) + _beside(target, _built(dir)))
        raise typer.Exit(1)


def _link(producer: str, consumer: str, logs: Sequence[NegotiationLog], as_json: bool) -> None:
    """Why a link is as the newest negotiation left it. Exit code 1 where it does not fit."""
    from graphbus_core.errors import UsageError
    from graphbus_core.workspace.shows.logs import ends, link_of, why_left

    link = link_of(logs[0], producer, consumer)
    if link is None:
        known = ends(logs)
        raise UsageError(
            f"The newest build knows no link from {producer} to {consumer}. "
            + (f"Its links: {few(known, 8)}." if known else "It has no links.")
        )
    lines = list(why_left(logs[0], link))
    if as_json:
        print(json.dumps({"link": link, "build_id": logs[0].build_id, "why": lines}, indent=2, ensure_ascii=False))
    else:
        print("\n  ".join([link, *(shown_line(line) for line in lines)]))
    if not lines[0].startswith("it fits"):
        raise typer.Exit(1)


def _untouched(target: str, logs: Sequence[NegotiationLog], folder: Path, sound: bool) -> str:
    dry = sum(log.dry_run for log in logs)
    where = f"the {len(logs)} builds" if len(logs) > 1 else "the one build"
    kept = f" ({dry} of them {'was a dry run' if dry == 1 else 'were dry runs'}, told with --all)" if dry else ""
    nobody = f"No proposal touched {target} in {where} of {folder}{kept}"
    return f"{nobody}: it is as its author wrote it." if sound else f"{nobody}, as far as their logs are sound."


def _beside(target: str, agents: Sequence[AgentDefinition]) -> str:
    """Where a contract stands that is not written in the code."""
    for agent in agents:
        for method in agent.methods:
            places = method.metadata.get("beside")
            if places and f"{target}.".startswith(f"{agent.name}.{method.name}."):
                return f" Its contract stands at {' and '.join(places.values())}."
    return ""


def _built(folder: Path) -> Sequence[AgentDefinition]:
    """The agents of the newest build, which may know what no negotiation saw."""
    from graphbus_core.errors import ArtifactError
    from graphbus_core.workspace.shows import ArtifactFolder

    try:
        return ArtifactFolder(folder).everyone
    except ArtifactError:
        return ()


def _told(cause: Mapping[str, Any]) -> Iterator[str]:
    """One proposal's part in it, line by line."""
    from graphbus_core.workspace.shows.logs import gates_in_words

    date = f"{cause['at'][:10]}, " if cause["at"] else ""
    yield shown_line(f"{cause['proposal_id']}  {cause['proposer']}: {cause['summary']}")
    end = "would be committed" if cause["dry_run"] and cause["outcome"] == "committed" else cause["outcome"]
    end += ", taken back" if cause["undone"] else ""
    yield f"  {date}{cause['build_id']}, round {cause['round']}, {cause['type'].replace('_', ' ')}, {end}"
    if cause["dry_run"]:
        yield "  a dry run: nothing was changed"
    for op in cause["operations"]:
        yield f"  change: {step(op)}"
    if cause["rationale"]:
        yield f"  why: {cause['rationale']}"
    for said in cause["evaluations"]:
        reasoning = f" - {said['reasoning']}" if said["reasoning"] else ""
        yield f"  {said['agent']}: {(said['decision'] or 'silent').replace('_', ' ')}{reasoning}"
    if cause["ruling"]:
        yield f"  {cause['ruling']['arbiter']} ruled {cause['ruling']['decision']}: {cause['ruling']['ruling']}"
    if cause["dry_run"] and cause["outcome"] == "committed":
        yield f"  no commit ({cause['consensus']}); it would change {', '.join(cause['files'])}"
    elif cause["commit_id"]:
        yield f"  commit {cause['commit_id']} ({cause['consensus']}): {', '.join(cause['files'])}"
    else:
        yield f"  {cause['outcome'].replace('_', ' ')}: {cause['why']}"
    yield from (f"  {line}" for line in gates_in_words(cause["gates"]))
    if cause["undone"]:
        day = f" on {cause['undone']['at'][:10]}" if cause["undone"]["at"] else ""
        undo = f"graphbus undo {cause['proposal_id']}"
        yield f"  taken back{day} by `{undo}`: the commit {cause['commit_id']} stands no more"
