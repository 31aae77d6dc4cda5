"""`graphbus consent status|show|read|verify|why|picture|schema`: what a negotiation came to, and whether that holds."""

from __future__ import annotations

from typing import Annotated

import typer

from graphbus_core.cli.consent.ended import RunId, tell_end
from graphbus_core.cli.options import AsJson
from graphbus_core.shown import shown


def status(run_id: RunId = None, as_json: AsJson = False) -> None:
    """The final status block, or how far it got (exit 1 while nothing is agreed)."""
    import json

    from graphbus_core.workspace.consents import kept

    found = kept.read(run_id)
    if found.finished is None:
        state = found.state
        known = {"status": "RUNNING", "turns": state.turns, "max_turns": state.config.max_turns, "phase": state.phase}
        typer.echo(
            json.dumps(known) if as_json else f"STATUS: RUNNING\nTURNS: {state.turns} of {state.config.max_turns}"
        )
        raise typer.Exit(1)
    tell_end(found.finished, found.prepared, as_json)


def show(
    run_id: RunId = None,
    document: Annotated[
        bool, typer.Option("--document", help="The output document instead of the transcript.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """What was said, in the seed's blocks."""
    import json

    from graphbus_core.workspace.consents import kept, tellable, transcript_text, written

    found = kept.read(run_id)
    if as_json:
        typer.echo(json.dumps([{"fact": e.kind, **e.to_dict()} for e in tellable(found.events)], ensure_ascii=False))
    elif document:
        typer.echo(shown(written(found.prepared, found.over(), found.run.log)))
    else:
        typer.echo(shown(transcript_text(tellable(found.events))), nl=False)


def read(
    file: Annotated[str, typer.Argument(help="A ledger or transcript in the seed's blocks.")],
    advocate: Annotated[
        list[str] | None, typer.Option(help="A registered advocate; without it, who took a seat.")
    ] = None,
    stand_aside: Annotated[bool, typer.Option("--stand-aside", help="This table lets advocates stand aside.")] = False,
    as_json: AsJson = False,
) -> None:
    """What a transcript that others wrote comes to under the rules. Exits 1 unless it is a clean DONE.

    Of a ledger with several negotiations, one after the other, the last one is read.
    """
    import json
    from pathlib import Path

    from graphbus_core.workspace.consents import last_negotiation, lines_of, read_text, read_transcript, status_block

    text, before = last_negotiation(read_text(Path(file)))
    found = read_transcript(text, advocate or [], stand_aside=stand_aside)
    if before:
        typer.echo(f"graphbus: {before} earlier negotiation(s) end in {shown(file)}; this is the last one.", err=True)
    if as_json:
        told = {
            "status": found.status,
            "turns": found.turns,
            "speaking_turns": found.speaking_turns,
            "participants": found.advocates,
            **({"stood_aside": dict(found.aside)} if stand_aside else {}),
            "agreement": lines_of(found.agreement) if found.agreement is not None else None,
            "faults": list(found.faults),
            "claimed": found.claimed,
        }
        typer.echo(json.dumps(told, ensure_ascii=False))
    else:
        typer.echo(
            shown(status_block(found.status, found.turns, found.claimed.get("OUTPUT"), found.advocates, found.aside))
        )
        for line in lines_of(found.agreement):
            typer.echo(shown(f"- {line}"))
        for fault in found.faults:
            typer.echo(shown(f"! {fault}"))
    if found.faults or found.status != "DONE":
        raise typer.Exit(1)


def verify(
    file: Annotated[str, typer.Argument(help="An output document, or a certificate or proof as JSON.")],
    scenario: Annotated[str | None, typer.Option(help="The scenario; without it, the one that the file names.")] = None,
    log: Annotated[str | None, typer.Option(help="The run's folder or log; without it, the one it names.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check every claim: numbers from the scenario, words, votes and counts from the log. Exits 1 unless all holds."""
    import json

    from graphbus_core.workspace.consents import verify_file

    found = verify_file(file, scenario, log)
    if as_json:
        told = {
            "holds": found.holds,
            "kind": found.kind,
            "numbers": found.numbers,
            "attested": found.attested,
            "wrong": list(found.wrong),
        }
        typer.echo(json.dumps(told, ensure_ascii=False))
    elif found.wrong:
        typer.echo(shown("\n".join(["It does not hold:", *(f"- {w}" for w in found.wrong)])))
    elif not found.attested:
        typer.echo(
            f"The numbers hold (computed again from {found.against}), consent is not attested: {found.why_not}. "
            "A certificate is not a signature; give the negotiation's log with --log."
        )
    else:
        kind = {"possible": "proof that an agreement exists", "deadlock": "proof"}.get(found.kind, "certificate")
        typer.echo(f"The {kind} holds: computed again from {found.against}, and attested by its log.")
    if not found.holds:
        raise typer.Exit(1)


def why(
    run_id: RunId = None,
    to_win: Annotated[
        str | None, typer.Option(help="What would have to change for this deal: `issue=option, …`; the rest as agreed.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Why this deal: who gave what, the runner-up, how firm the choice is, and what would change it."""
    import json

    from graphbus_core.workspace.consents import asked_after, kept

    one = kept.read(run_id)
    found = asked_after(one.prepared.scenario, one.state.outcome, to_win)
    typer.echo(json.dumps(found.data, ensure_ascii=False) if as_json else shown(found.text))


def picture(
    run_id: RunId = None,
    output: Annotated[str | None, typer.Option(help="A file; without it the SVG is printed.")] = None,
) -> None:
    """Satisfaction over the proposals and the frontier, as SVG. Scores must be disclosed."""
    from pathlib import Path

    from graphbus_core.errors import UsageError
    from graphbus_core.workspace.consents import check_writable, drawn, kept, write_document

    found = kept.read(run_id)
    svg = drawn(found.over())
    if svg is None:
        why = "has no scores" if found.prepared.scenario.preferences == "disclosed" else "does not disclose its scores"
        raise UsageError(f"This decision {why}: there is nothing to draw.")
    if output is None:
        typer.echo(svg)
        return
    if Path(output).suffix.lower() != ".svg":
        raise UsageError(f"--output {output!r}: the picture is SVG; name a file that ends with .svg.")
    check_writable(Path(output), "--output")
    write_document(Path(output), svg)
    typer.echo(shown(output))


def schema() -> None:
    """The JSON Schema of a scenario file, for editors."""
    import json

    from graphbus_core.workspace.consents import SCENARIO_SCHEMA

    typer.echo(json.dumps(SCENARIO_SCHEMA, indent=2))
