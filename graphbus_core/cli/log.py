"""`graphbus log verify|export|replay`: look after the log of a negotiation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from graphbus_core.cli.negotiations import DIR_HELP, log_of, read_facts, read_log

app = typer.Typer(no_args_is_help=True, help="Verify, export or replay a negotiation's log.")

Build = Annotated[str | None, typer.Argument(help="The id of a build, or the path of a log; else the newest.")]
Dir = Annotated[Path, typer.Option("--dir", help=DIR_HELP)]
AsJson = Annotated[bool, typer.Option("--json", help="For programs.")]


@app.command()
def verify(
    build: Build = None,
    dir: Dir = Path(".graphbus"),
    repair: Annotated[
        bool, typer.Option(help="Cut a damaged log after its last sound fact; the rest is kept.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check every line: checksum, chain, and the recorded head. Exit code 1 where something is wrong."""
    from graphbus_core.stores.jsonl import read_answers
    from graphbus_core.stores.jsonl import repair as cut
    from graphbus_core.stores.negotiations import ANSWERS
    from graphbus_core.stores.reading import inspect_log

    build_id, path = log_of(build, dir)
    found = inspect_log(path)
    beside = path.with_name(path.name.removesuffix(".jsonl") + ANSWERS)
    replies, damaged, _ = read_answers(beside)
    dry = read_log(build_id, path)[0].dry_run
    if repair and found.damage is not None:
        cut(path)
    if as_json:
        said = {
            "build_id": build_id,
            "log": str(path),
            "facts": found.facts,
            "hash": found.hash,
            "damage": str(found.damage) if found.damage else None,
            "unfinished_write": bool(found.damage and found.damage.unfinished),
            "repaired": bool(repair and found.damage),
            "dry_run": dry,
            "answers": len(replies),
            "damaged_answers": damaged,
        }
        print(json.dumps(said, indent=2))
    else:
        print(f"{path}: {found.facts} facts, {len(replies)} answers, hash {found.hash}{', a dry run' if dry else ''}")
        if found.damage is not None:
            harmless = " (an interrupted write; nothing that was relied on is lost)" if found.damage.unfinished else ""
            print(f"damaged at {found.damage}{harmless}. The {found.facts} facts before it are sound.")
            print(
                f"Cut there; the rest is kept in {path.name}.cut."
                if repair
                else "`--repair` cuts it there and keeps the rest."
            )
        if damaged:
            print(f"{damaged} answers are damaged and would be asked for again.")
    if found.damage is not None and not repair:
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
    if damage is not None:
        typer.echo(damage, err=True)
        raise typer.Exit(1)


@app.command()
def replay(build: Build = None, dir: Dir = Path(".graphbus"), as_json: AsJson = False) -> None:
    """Derive the log anew from its start, the stored answers and the recorded commits; it must come out the same."""
    from graphbus_core.negotiation.proposal.replaying import replay as again
    from graphbus_core.stores.memory import MemoryLog
    from graphbus_core.stores.recordings import read_recording

    build_id, path = log_of(build, dir)
    facts, damage = read_facts(path)
    found = again(facts, read_recording(path), MemoryLog())
    differs = found.differs or (damage or "")
    if as_json:
        print(json.dumps({"build_id": build_id, "facts": found.facts, "of": found.of, "differs": differs or None}))
    else:
        print(f"{build_id}: {found.facts} of {found.of} facts come out the same.")
        if differs:
            print(differs)
    if differs:
        raise typer.Exit(1)
