"""`graphbus log verify|export|replay`: look after the log of a negotiation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from graphbus_core.cli.negotiation_text import DIR_HELP, print_faults
from graphbus_core.cli.options import AsJson, resolve_output_dir as folder
from graphbus_core.text import format_count

app = typer.Typer(no_args_is_help=True, help="Verify, export or replay a negotiation's log.")

Build = Annotated[str | None, typer.Argument(help="The id of a build, or the path of a log; else the newest.")]
Dir = Annotated[Path | None, typer.Option("--dir", help=DIR_HELP, show_default=".graphbus")]


@app.command("verify")
def verify(
    build: Build = None,
    dir: Dir = None,
    repair: Annotated[
        bool, typer.Option(help="Take a damaged log as it stands: cut after its last sound fact; the rest is kept.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check every line, the recorded head, the log's name and its answers. Exit code 1 where something is wrong."""
    from graphbus_core.services.queries import negotiations

    checked_log = negotiations.check_log(*negotiations.find_log(build, folder(dir)), repair)
    read = checked_log.read
    dry = read.build_log().dry_run
    if as_json:
        report = {
            "build_id": read.id,
            "log": str(read.path),
            "facts": checked_log.facts,
            "hash": checked_log.hash,
            "damage": checked_log.damage,
            "unfinished_write": checked_log.unfinished_write,
            "repaired": checked_log.repaired,
            "dry_run": dry,
            "answers": checked_log.answers,
            "findings": [str(fault) for fault in read.wrong],
        }
        print(json.dumps(report, indent=2))
    else:
        end = ", a dry run" if dry else ""
        print(
            f"{read.path}: {format_count(checked_log.facts, 'fact')}, "
            f"{format_count(checked_log.answers, 'answer')}, hash {checked_log.hash}{end}"
        )
        if checked_log.repaired:
            cut_file = f"{read.path.name}.cut"
            print(
                f"Taken as it stands: "
                f"{format_count(checked_log.facts, 'fact')}. What was cut, if anything, is kept in {cut_file}."
            )
        for fault in read.wrong:
            print(fault)
    if not checked_log.is_sound:
        raise typer.Exit(1)


@app.command("export")
def export(
    build: Build = None,
    dir: Dir = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write here instead of to the screen.")] = None,
    facts: Annotated[bool, typer.Option(help="The facts, one JSON object a line, without times and hashes.")] = False,
) -> None:
    """Write the negotiation as one JSON document, the shape of negotiation_log.json."""
    from graphbus_core.services.queries import negotiations

    read = negotiations.read_log(*negotiations.find_log(build, folder(dir)))
    if facts:
        # Without times and hashes: two runs with the same answers then give the same bytes, and `diff` shows what
        # differs.
        lines = (json.dumps({"kind": f.kind, **f.to_dict()}, ensure_ascii=False, default=list) for f in read.facts)
        text = "".join(line + "\n" for line in lines)
    else:
        text = json.dumps(read.build_log().to_dict(), indent=2, ensure_ascii=False) + "\n"
    if output is None:
        print(text, end="")
    else:
        output.write_text(text, encoding="utf-8")
        typer.echo(f"{output} written.")
    print_faults(read.wrong)


@app.command("replay")
def replay(build: Build = None, dir: Dir = None, as_json: AsJson = False) -> None:
    """Derive the log anew from its start, the stored answers and the recorded commits; it must come out the same."""
    from graphbus_core.services.queries import negotiations

    build_id, path = negotiations.find_log(build, folder(dir))
    derived, damage = negotiations.derive_log(negotiations.read_log(build_id, path))
    if as_json:
        report = {"build_id": build_id, "facts": derived.facts, "of": derived.of, "differs": derived.differs or None}
        print(json.dumps({**report, "findings": [str(fault) for fault in damage]}))
    else:
        print(f"{build_id}: {derived.facts} of {format_count(derived.of, 'fact')} come out the same.")
        if derived.differs:
            print(derived.differs)
    print_faults(damage)
    if derived.differs:
        raise typer.Exit(1)
