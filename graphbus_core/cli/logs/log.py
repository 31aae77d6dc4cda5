"""`graphbus log verify|export|replay`: look after the log of a negotiation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from graphbus_core.cli.logs.common import DIR_HELP, say
from graphbus_core.cli.options import AsJson, output as folder

app = typer.Typer(no_args_is_help=True, help="Verify, export or replay a negotiation's log.")

Build = Annotated[str | None, typer.Argument(help="The id of a build, or the path of a log; else the newest.")]
Dir = Annotated[Path | None, typer.Option("--dir", help=DIR_HELP, show_default=".graphbus")]


@app.command()
def verify(
    build: Build = None,
    dir: Dir = None,
    repair: Annotated[
        bool, typer.Option(help="Take a damaged log as it stands: cut after its last sound fact; the rest is kept.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check every line, the recorded head, the log's name and its answers. Exit code 1 where something is wrong."""
    from graphbus_core.workspace.shows import logs

    found = logs.verify(*logs.find(build, folder(dir)), repair)
    read = found.read
    dry = read.told().dry_run
    if as_json:
        said = {
            "build_id": read.id,
            "log": str(read.path),
            "facts": found.facts,
            "hash": found.hash,
            "damage": found.damage,
            "unfinished_write": found.unfinished_write,
            "repaired": found.repaired,
            "dry_run": dry,
            "answers": found.answers,
            "findings": [str(one) for one in read.wrong],
        }
        print(json.dumps(said, indent=2))
    else:
        end = ", a dry run" if dry else ""
        print(f"{read.path}: {found.facts} facts, {found.answers} answers, hash {found.hash}{end}")
        if found.repaired:
            kept = f"{read.path.name}.cut"
            print(f"Taken as it stands: {found.facts} facts. What was cut, if anything, is kept in {kept}.")
        for one in read.wrong:
            print(one)
    if not found.is_sound:
        raise typer.Exit(1)


@app.command()
def export(
    build: Build = None,
    dir: Dir = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write here instead of to the screen.")] = None,
    facts: Annotated[bool, typer.Option(help="The facts, one JSON object a line, without times and hashes.")] = False,
) -> None:
    """Write the negotiation as one JSON document, the shape of negotiation_log.json."""
    from graphbus_core.workspace.shows import logs

    read = logs.read(*logs.find(build, folder(dir)))
    if facts:
        # Without times and hashes: two runs with the same answers then give the same bytes, and `diff` shows what
        # differs.
        lines = (json.dumps({"kind": f.kind, **f.to_dict()}, ensure_ascii=False, default=list) for f in read.facts)
        text = "".join(line + "\n" for line in lines)
    else:
        text = json.dumps(read.told().to_dict(), indent=2, ensure_ascii=False) + "\n"
    if output is None:
        print(text, end="")
    else:
        output.write_text(text, encoding="utf-8")
        typer.echo(f"{output} written.")
    say(read.wrong)


@app.command()
def replay(build: Build = None, dir: Dir = None, as_json: AsJson = False) -> None:
    """Derive the log anew from its start, the stored answers and the recorded commits; it must come out the same."""
    from graphbus_core.workspace.shows import logs

    build_id, path = logs.find(build, folder(dir))
    found, damage = logs.derive(logs.read(build_id, path))
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
