"""`graphbus consent`: bring several priorities to a decision that nobody objects to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from graphbus_core.shown import shown

app = typer.Typer(add_completion=False, no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="For programs: one JSON object on stdout.")]
RunId = Annotated[str | None, typer.Argument(help="The negotiation's id; without it, the latest.")]


@app.command()
def run(
    source: Annotated[
        list[str] | None,
        typer.Argument(help="A prompt, a scenario file (YAML), a game's folder, or a GENIUS domain (XML)."),
    ] = None,
    advocate: Annotated[list[str] | None, typer.Option(help="NAME=Priority; once for each advocate.")] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(help="A model for all, or NAME=model for one; `rules`; `scripted:FILE` (a transcript)."),
    ] = None,
    human: Annotated[list[str] | None, typer.Option(help="This advocate is you, at the terminal.")] = None,
    max_turns: Annotated[int | None, typer.Option(help="Bound on TURNS (default 30).")] = None,
    seed: Annotated[
        int | None, typer.Option(help="Varies the order of the advocates and how ties are settled.")
    ] = None,
    preferences: Annotated[
        str | None, typer.Option(help="disclosed: the mediator knows them; private: only their owner.")
    ] = None,
    choose: Annotated[
        str | None, typer.Option(help="What the mediator tables: nash (default), leximin or kalai-smorodinsky.")
    ] = None,
    output: Annotated[str | None, typer.Option(help="Where the document goes.")] = None,
    work: Annotated[str | None, typer.Option(help="A file with the decision to be made.")] = None,
    comms: Annotated[str, typer.Option(help="The ledger; `none` for none.")] = "comms.md",
    as_json: AsJson = False,
) -> None:
    """Negotiate until everyone consents (exit 0) or the turns run out (exit 1)."""
    from pathlib import Path

    from graphbus_core.consent import Request, prepare
    from graphbus_core.consent import run as negotiate
    from graphbus_core.consent.files import Runs

    given = model or []
    request = Request(
        source=" ".join(source or []),
        advocates=_pairs(advocate or [], "--advocate"),
        model=next((m for m in reversed(given) if not _is_pair(m)), None),
        models=_pairs([m for m in given if _is_pair(m)], "--model"),
        humans=tuple(human or []),
        max_turns=max_turns,
        seed=seed,
        preferences=preferences,
        choose=choose,
        output=output,
        work=work,
        comms=None if comms == "none" else comms,
    )
    prepared = prepare(request, prompts_to_stderr=as_json)
    kept = Runs(Path.cwd()).new()
    finished = negotiate(prepared, kept, None if as_json else _show_event)
    _end(finished, prepared, as_json)


@app.command()
def ask(
    decision: Annotated[str | None, typer.Argument(help="A decision: topic, issues with options, advocates.")] = None,
    model: Annotated[list[str] | None, typer.Option(help="NAME=model for a seat that a model answers for.")] = None,
    human: Annotated[list[str] | None, typer.Option(help="This seat is a person, whatever the file says.")] = None,
    max_turns: Annotated[int | None, typer.Option(help="Bound on TURNS (default 30).")] = None,
    seed: Annotated[int | None, typer.Option(help="Varies which of two equal questions is asked.")] = None,
    output: Annotated[str | None, typer.Option(help="Where the document goes.")] = None,
    comms: Annotated[str, typer.Option(help="The ledger; `none` for none.")] = "comms.md",
    links: Annotated[bool, typer.Option("--links", help="People answer behind links (`consent serve`).")] = False,
    deadline: Annotated[
        str | None, typer.Option(help="How long a question behind a link waits, like 3d; then it is passed over.")
    ] = None,
    notify: Annotated[
        str | None, typer.Option(help="A command or an http(s) address, told of each question behind a link.")
    ] = None,
    go_on: Annotated[
        str | None, typer.Option("--resume", help="Go on with this run; only what is open is asked.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Ask each party at most 15 questions about named options, then table one deal to all. No score tables."""
    given = dict(locals())
    from pathlib import Path

    from graphbus_core import consent
    from graphbus_core.consent.files import Runs
    from graphbus_core.consent.sealed_run import ask_everyone, asked_seats

    if go_on is not None:
        kept = Runs(Path.cwd()).find(go_on)
        prepared = consent.resume(kept, prompts_to_stderr=as_json)
    else:
        prepared = consent.prepare(_sealed(given), prompts_to_stderr=as_json)
        kept = Runs(Path.cwd()).new()
    typer.echo(f"graphbus: this is {kept.id}; `graphbus consent ask --resume {kept.id}` goes on with it.", err=True)

    def tell(text: str) -> None:
        typer.echo(f"graphbus: {shown(text)}", err=True)

    seats = asked_seats(prepared, as_json, kept, tell)
    if prepared.request.links:
        tell("`graphbus consent serve` prints the link of each seat, and serves them.")
    finished = ask_everyone(prepared, kept, seats, tell)
    _end(finished, prepared, as_json)


def _sealed(given: Mapping[str, Any]) -> Any:
    """What `ask` was given, as a request. Raises UsageError for what does not go together."""
    from graphbus_core import consent
    from graphbus_core.consent.sealed_run import seconds
    from graphbus_core.errors import UsageError

    if not given["decision"]:
        raise UsageError("Name the decision: `graphbus consent ask DECISION.yaml`.")
    models = given["model"] or []
    if (given["deadline"] or given["notify"]) and not given["links"]:
        raise UsageError("--deadline and --notify are for people behind links: give --links as well.")
    if given["deadline"]:
        seconds(given["deadline"])
    return consent.Request(
        source=given["decision"],
        models=_pairs([m for m in models if _is_pair(m)], "--model"),
        model=next((m for m in reversed(models) if not _is_pair(m)), None),
        humans=tuple(given["human"] or []),
        max_turns=given["max_turns"],
        seed=given["seed"],
        preferences="sealed",
        links=given["links"] or None,
        deadline=given["deadline"],
        notify=given["notify"],
        output=given["output"],
        comms=None if given["comms"] == "none" else given["comms"],
    )


@app.command()
def serve(
    run_id: RunId = None,
    host: Annotated[str, typer.Option(help="Where to listen; beyond loopback give TLS files.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes any that is free.", min=0, max=65535)] = 8421,
    tls_cert: Annotated[str | None, typer.Option(help="The certificate (PEM).")] = None,
    tls_key: Annotated[str | None, typer.Option(help="Its key (PEM).")] = None,
    allow_host: Annotated[list[str] | None, typer.Option(help="A name under which others reach this server.")] = None,
) -> None:
    """Serve the seat pages of `ask --links`, and nothing else of the project. Each link opens one seat alone."""
    from pathlib import Path

    from graphbus_core.api.seats import Listening, serve_seats
    from graphbus_core.consent.files import Runs
    from graphbus_core.consent.links import keys_of
    from graphbus_core.errors import UsageError

    kept = Runs(Path.cwd()).find(run_id)
    keys = keys_of(kept)
    if not keys:
        raise UsageError(f"{kept.id} has no links. Start one with `graphbus consent ask DECISION.yaml --links`.")
    files = [Path(f) if f else None for f in (tls_cert, tls_key)]

    def links(url: str) -> list[str]:
        names = allow_host or []
        base = f"{url.partition(':')[0]}://{names[0]}/" if names else url
        return [
            f"The seats of {kept.id}:",
            "",
            *(f"  {n}  {base}seat#{k}" for n, k in keys.items()),
            "",
            "Ctrl-C stops it.",
        ]

    at = Listening(host, port, tuple(allow_host or ()), files[0], files[1])
    serve_seats(Path.cwd(), links, at, lambda line: typer.echo(shown(line)))


@app.command()
def resume(run_id: RunId = None, as_json: AsJson = False) -> None:
    """Go on with a negotiation that was interrupted. What was answered is not asked again."""
    from pathlib import Path

    from graphbus_core import consent
    from graphbus_core.consent.files import Runs

    kept = Runs(Path.cwd()).find(run_id)
    prepared = consent.resume(kept, prompts_to_stderr=as_json)
    _end(consent.run(prepared, kept, None if as_json else _show_event), prepared, as_json)


@app.command()
def status(run_id: RunId = None, as_json: AsJson = False) -> None:
    """The final status block, or how far it got (exit 1 while nothing is agreed)."""
    import json

    prepared, state, _, finished = _read(run_id)
    if finished is None:
        known = {"status": "RUNNING", "turns": state.turns, "max_turns": state.config.max_turns, "phase": state.phase}
        typer.echo(
            json.dumps(known) if as_json else f"STATUS: RUNNING\nTURNS: {state.turns} of {state.config.max_turns}"
        )
        raise typer.Exit(1)
    _end(finished, prepared, as_json)


@app.command()
def show(
    run_id: RunId = None,
    document: Annotated[
        bool, typer.Option("--document", help="The output document instead of the transcript.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """What was said, in the seed's blocks."""
    import json
    from pathlib import Path

    from graphbus_core.consent import written
    from graphbus_core.consent.files import Runs
    from graphbus_core.negotiation.consent.told.texts import tellable, transcript_text

    prepared, _, events, finished = _read(run_id)
    if as_json:
        typer.echo(json.dumps([{"fact": e.kind, **e.to_dict()} for e in tellable(events)], ensure_ascii=False))
    elif document:
        if finished is None:
            from graphbus_core.errors import UsageError

            raise UsageError("It is not over yet. `graphbus consent resume` goes on with it.")
        typer.echo(shown(written(prepared, finished, Runs(Path.cwd()).find(run_id).log)))
    else:
        typer.echo(shown(transcript_text(tellable(events))), nl=False)


@app.command()
def read(
    file: Annotated[str, typer.Argument(help="A ledger or transcript in the seed's blocks.")],
    advocate: Annotated[
        list[str] | None, typer.Option(help="A registered advocate; without it, who took a seat.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What a transcript that others wrote comes to under the rules. Exits 1 unless it is a clean DONE.

    Of a ledger with several negotiations, one after the other, the last one is read.
    """
    import json
    from pathlib import Path

    from graphbus_core.consent.files import read_text
    from graphbus_core.negotiation.consent.told.texts import lines_of, status_block
    from graphbus_core.negotiation.consent.told.transcript import last_negotiation, read_transcript

    text, before = last_negotiation(read_text(Path(file)))
    found = read_transcript(text, advocate or [])
    if before:
        typer.echo(f"graphbus: {before} earlier negotiation(s) end in {shown(file)}; this is the last one.", err=True)
    if as_json:
        told = {
            "status": found.status,
            "turns": found.turns,
            "speaking_turns": found.speaking_turns,
            "participants": found.advocates,
            "agreement": lines_of(found.agreement) if found.agreement is not None else None,
            "faults": list(found.faults),
            "claimed": found.claimed,
        }
        typer.echo(json.dumps(told, ensure_ascii=False))
    else:
        typer.echo(shown(status_block(found.status, found.turns, found.claimed.get("OUTPUT"), found.advocates)))
        for line in lines_of(found.agreement):
            typer.echo(shown(f"- {line}"))
        for fault in found.faults:
            typer.echo(shown(f"! {fault}"))
    if found.faults or found.status != "DONE":
        raise typer.Exit(1)


@app.command()
def verify(
    file: Annotated[str, typer.Argument(help="An output document, or a certificate or proof as JSON.")],
    scenario: Annotated[str | None, typer.Option(help="The scenario; without it, the one that the file names.")] = None,
    log: Annotated[str | None, typer.Option(help="The run's folder or log; without it, the one it names.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check every claim: numbers from the scenario, words, votes and counts from the log. Exits 1 unless all holds."""
    import json

    from graphbus_core.consent.checking import verify_file

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
            "A certificate is no signature; give the negotiation's log with --log."
        )
    else:
        typer.echo(f"The {found.kind} holds: computed again from {found.against}, and attested by its log.")
    if not found.holds:
        raise typer.Exit(1)


@app.command()
def why(
    run_id: RunId = None,
    to_win: Annotated[
        str | None, typer.Option(help="What would have to change for this deal: `issue=option, …`; the rest as agreed.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Why this deal: who gave what, the runner-up, how firm the choice is, and what would change it."""
    import json

    from graphbus_core.consent.asked_after import asked_after

    prepared, state, _, _ = _read(run_id)
    found = asked_after(prepared.scenario, state.outcome, to_win)
    typer.echo(json.dumps(found.data, ensure_ascii=False) if as_json else shown(found.text))


@app.command()
def schema() -> None:
    """The JSON Schema of a scenario file, for editors."""
    import json

    from graphbus_core.negotiation.consent.scenario.schema import SCENARIO_SCHEMA

    typer.echo(json.dumps(SCENARIO_SCHEMA, indent=2))


def _is_pair(text: str) -> bool:
    name, mark, _ = text.partition("=")
    return bool(mark) and ":" not in name


def _pairs(given: list[str], option: str) -> dict[str, str]:
    from graphbus_core.errors import UsageError

    found: dict[str, str] = {}
    for one in given:
        name, mark, value = one.partition("=")
        if not mark or not name.strip() or not value.strip():
            raise UsageError(f"{option} {one!r}: write NAME=value.")
        if name.strip() in found:
            raise UsageError(f"{option}: {name.strip()!r} is named twice.")
        found[name.strip()] = value.strip()
    return found


def _show_event(event: Any) -> None:
    from graphbus_core.negotiation.consent.told.texts import block

    said = block(event)
    if said is not None:
        typer.echo(shown(said) + "\n")


def _end(finished: Any, prepared: Any, as_json: bool) -> None:
    import json

    from graphbus_core.consent import status_of

    if as_json:
        typer.echo(json.dumps(finished.to_dict(), ensure_ascii=False))
    else:
        typer.echo(shown(status_of(finished, prepared.output)))
    if finished.outcome.status != "DONE":
        raise typer.Exit(1)


def _read(run_id: str | None) -> tuple[Any, Any, Any, Any]:
    from pathlib import Path

    from graphbus_core.consent import finished_of, folded
    from graphbus_core.consent.files import Runs

    kept = Runs(Path.cwd()).find(run_id)
    prepared, state, events = folded(kept)
    return prepared, state, events, finished_of(kept, prepared, state)
