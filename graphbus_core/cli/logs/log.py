"""`graphbus log verify|export|replay`: look after the log of a negotiation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from graphbus_core.cli.logs.negotiations import DIR_HELP, log_of, read_facts, read_log, say
from graphbus_core.errors import GraphBusError

if TYPE_CHECKING:
    from graphbus_core.negotiation.core import Reply

app = typer.Typer(no_args_is_help=True, help="Verify, export or replay a negotiation's log.")

Build = Annotated[str | None, typer.Argument(help="The id of a build, or the path of a log; else the newest.")]
Dir = Annotated[Path, typer.Option("--dir", help=DIR_HELP)]
AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]


@app.command()
def verify(
    build: Build = None,
    dir: Dir = Path(".graphbus"),
    repair: Annotated[
        bool, typer.Option(help="Take a damaged log as it stands: cut after its last sound fact; the rest is kept.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check every line, the recorded head, the log's name and its answers. Exit code 1 where something is wrong."""
    from graphbus_core.stores.builds.soundness import examine, examine_answers
    from graphbus_core.stores.jsonl import repair as cut

    build_id, path = log_of(build, dir)
    found, wrong = examine(path)
    damage, repaired = found.damage, repair and bool(wrong)
    if repaired:
        cut(path)  # refuses what is no log
        found, wrong = examine(path)
    answers, unanswered = examine_answers(path)
    dry = read_log(build_id, path)[0].dry_run
    if as_json:
        said = {
            "build_id": build_id,
            "log": str(path),
            "facts": found.facts,
            "hash": found.hash,
            "damage": str(damage) if damage else None,
            "unfinished_write": bool(damage and damage.unfinished),
            "repaired": repaired,
            "dry_run": dry,
            "answers": answers,
            "findings": [str(one) for one in (*wrong, *unanswered)],
        }
        print(json.dumps(said, indent=2))
    else:
        print(f"{path}: {found.facts} facts, {answers} answers, hash {found.hash}{', a dry run' if dry else ''}")
        if repaired:
            print(f"Taken as it stands: {found.facts} facts. What was cut, if anything, is kept in {path.name}.cut.")
        for one in (*wrong, *unanswered):
            print(one)
    if found.damage is not None or any(not one.harmless for one in (*wrong, *unanswered)):
        raise typer.Exit(1)


@app.command()
def export(
    build: Build = None,
    dir: Dir = Path(".graphbus"),
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write here instead of to the screen.")] = None,
    facts: Annotated[bool, typer.Option(help="The facts, one JSON object a line, without times and hashes.")] = False,
) -> None:
    """Write the negotiation as one JSON document, the shape of negotiation_log.json."""
    build_id, path = log_of(build, dir)
    if facts:
        told, damage = read_facts(path)
        lines = (json.dumps({"kind": f.kind, **f.to_dict()}, ensure_ascii=False, default=list) for f in told)
        text = "".join(line + "\n" for line in lines)
    else:
        log, damage = read_log(build_id, path)
        text = json.dumps(log.to_dict(), indent=2, ensure_ascii=False) + "\n"
    if output is None:
        print(text, end="")
    else:
        output.write_text(text, encoding="utf-8")
        typer.echo(f"{output} written.")
    say(damage)


@app.command()
def replay(build: Build = None, dir: Dir = Path(".graphbus"), as_json: AsJson = False) -> None:
    """Derive the log anew from its start, the stored answers and the recorded commits; it must come out the same."""
    from graphbus_core.negotiation.proposal.told.replaying import replay as again
    from graphbus_core.stores.builds.recordings import read_recording
    from graphbus_core.stores.builds.soundness import examine_answers
    from graphbus_core.stores.memory import MemoryLog

    build_id, path = log_of(build, dir)
    facts, damage = read_facts(path)
    replies: Mapping[str, Reply] = {}
    with suppress(GraphBusError):  # what is wrong with the log is said below
        replies = read_recording(path)
    found = again(facts, replies, MemoryLog())
    damage = (*damage, *examine_answers(path)[1])
    if as_json:
        told = {"build_id": build_id, "facts": found.facts, "of": found.of, "differs": found.differs or None}
        print(json.dumps({**told, "findings": [str(one) for one in damage]}))
    else:
        print(f"{build_id}: {found.facts} of {found.of} facts come out the same.")
        if found.differs:
            print(found.differs)
    say(damage)
    if found.differs:
        raise typer.Exit(1)
