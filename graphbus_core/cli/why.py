"""`graphbus why Node.method.field`: which proposals made it what it is, across builds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from graphbus_core.cli.negotiations import DIR_HELP, read_log, step

app = typer.Typer(help="Say which proposals made a method or a field what it is.")


@app.command()
def why(
    target: Annotated[str, typer.Argument(help="Node.method.field, Node.method, Node, or 'Node -> /Topic'.")],
    dir: Annotated[Path, typer.Option("--dir", help=DIR_HELP)] = Path(".graphbus"),
    every: Annotated[bool, typer.Option("--all", help="What was refused as well.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Newest first: who proposed it, why, what the others said, the ruling, the commit, the date.

    Exit code 1 where no proposal ever touched it.
    """
    from graphbus_core.errors import UsageError
    from graphbus_core.negotiation.proposal.lineage import causes
    from graphbus_core.stores.negotiations import Negotiations

    store = Negotiations(dir)
    builds = store.builds()
    if not builds:
        raise UsageError(
            f"There is no negotiation in {dir}. Run `graphbus build PATH --enable-agents` first, or use --dir."
        )
    logs = []
    for build_id in reversed(builds):
        log, damage = read_log(build_id, store.log_path(build_id))
        if damage is not None:
            typer.echo(damage, err=True)
        logs.append(log)
    found = causes(target, logs, every)
    if as_json:
        print(json.dumps([cause.to_dict() for cause in found], indent=2, ensure_ascii=False))
    for cause in () if as_json else found:
        told = cause.to_dict()
        date = f"{told['at'][:10]}, " if told["at"] else ""
        print(f"{told['proposal_id']}  {told['proposer']}: {told['summary']}")
        print(f"  {date}{told['build_id']}, round {told['round']}, {told['type'].replace('_', ' ')}, {told['outcome']}")
        for op in told["operations"]:
            print(f"  change: {step(op)}")
        if told["rationale"]:
            print(f"  why: {told['rationale']}")
        for said in told["evaluations"]:
            reasoning = f" - {said['reasoning']}" if said["reasoning"] else ""
            print(f"  {said['agent']}: {(said['decision'] or 'silent').replace('_', ' ')}{reasoning}")
        if told["ruling"]:
            print(f"  {told['ruling']['arbiter']} ruled {told['ruling']['decision']}: {told['ruling']['ruling']}")
        if told["commit_id"]:
            print(f"  commit {told['commit_id']} ({told['consensus']}): {', '.join(told['files'])}")
        else:
            print(f"  {told['outcome']}: {told['why']}")
        print()
    if not found:
        if not as_json:
            print(f"No proposal touched {target} in the {len(builds)} builds of {dir}: it is as its author wrote it.")
        raise typer.Exit(1)
