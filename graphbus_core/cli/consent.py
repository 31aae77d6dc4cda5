"""`graphbus consent`: bring several priorities to a decision that nobody objects to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from graphbus_core.cli import options
from graphbus_core.cli.options import AsJson
from graphbus_core.text import escape_text

# What the commands of `graphbus consent` share: their common options, and how the end of a negotiation is told.


RunId = Annotated[str | None, typer.Argument(help="The negotiation's id; without it, the latest.")]


def print_end(finished: Any, prepared: Any, as_json: bool) -> None:
    """Print the status block, or all of it as JSON. Exits 1 unless something was agreed."""
    import json

    from graphbus_core.services.decisions import render_status

    if as_json:
        typer.echo(json.dumps(finished.to_dict(), ensure_ascii=False))
    else:
        typer.echo(escape_text(render_status(finished, prepared.output)))
    if finished.outcome.status != "DONE":
        raise typer.Exit(1)


# `graphbus consent run|ask|resume|serve`: what begins a negotiation, or goes on with one.


SERVE = "`graphbus consent serve` prints the link of each seat, and serves them."
MaxTurns = Annotated[int | None, typer.Option(help="Bound on TURNS (default 30).")]
Comms = Annotated[str, typer.Option(help="The ledger; `none` for none.")]
Output = Annotated[str | None, typer.Option(help="Where the document goes.")]
StandAside = Annotated[
    bool | None,
    typer.Option("--stand-aside/--no-stand-aside", help="Let advocates stand aside: no consent, and no objection."),
]
Links = Annotated[bool, typer.Option("--links", help="People answer behind links (`consent serve`).")]
Deadline = Annotated[
    str | None, typer.Option(help="How long a question behind a link waits, like 3d; then it is passed over.")
]
Notify = Annotated[
    str | None, typer.Option(help="A command or an http(s) address, told of each question behind a link.")
]


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
    max_turns: MaxTurns = None,
    seed: Annotated[
        int | None, typer.Option(help="Varies the order of the advocates and how ties are settled.")
    ] = None,
    preferences: Annotated[
        str | None, typer.Option(help="disclosed: the mediator knows them; private: only their owner.")
    ] = None,
    choose: Annotated[
        str | None, typer.Option(help="What the mediator tables: nash (default), leximin or kalai-smorodinsky.")
    ] = None,
    output: Output = None,
    work: Annotated[str | None, typer.Option(help="A file with the decision to be made.")] = None,
    comms: Comms = "comms.md",
    stand_aside: StandAside = None,
    links: Links = False,
    deadline: Deadline = None,
    notify: Notify = None,
    as_json: AsJson = False,
) -> None:
    """Negotiate until everyone consents (exit 0) or the turns run out (exit 1)."""
    options_given = dict(locals())
    from pathlib import Path

    from graphbus_core.errors import UsageError
    from graphbus_core.services import decisions

    if links and not human:
        raise UsageError("--links is for people: name each with --human NAME.")
    prepared = decisions.prepare(_build_run_request(options_given), prompts_to_stderr=as_json)
    new_run = decisions.Runs(Path.cwd()).create()
    if prepared.notice is not None:
        _print_notice(f"{prepared.notice}.")
    if links:
        _print_notice(f"this is {new_run.id}; `graphbus consent resume {new_run.id}` goes on with it.")
        _print_notice(SERVE)
    finished = decisions.run(
        decisions.seat_people_behind_links(prepared, new_run, _print_notice), new_run, None if as_json else _print_event
    )
    print_end(finished, prepared, as_json)


def ask(
    decision: Annotated[str | None, typer.Argument(help="A decision: topic, issues with options, advocates.")] = None,
    model: Annotated[list[str] | None, typer.Option(help="NAME=model for a seat that a model answers for.")] = None,
    human: Annotated[list[str] | None, typer.Option(help="This seat is a person, whatever the file says.")] = None,
    max_turns: MaxTurns = None,
    seed: Annotated[int | None, typer.Option(help="Varies which of two equal questions is asked.")] = None,
    output: Output = None,
    comms: Comms = "comms.md",
    stand_aside: StandAside = None,
    links: Links = False,
    deadline: Deadline = None,
    notify: Notify = None,
    go_on: Annotated[
        str | None, typer.Option("--resume", help="Go on with this run; only what is open is asked.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Ask each party at most 15 questions about named options, then table one deal to all. No score tables."""
    options_given = dict(locals())
    from pathlib import Path

    from graphbus_core.services import decisions

    if go_on is not None:
        current_run = decisions.Runs(Path.cwd()).find(go_on)
        prepared = decisions.resume(current_run, prompts_to_stderr=as_json)
    else:
        prepared = decisions.prepare(_build_ask_request(options_given), prompts_to_stderr=as_json)
        current_run = decisions.Runs(Path.cwd()).create()
    _print_notice(f"this is {current_run.id}; `graphbus consent ask --resume {current_run.id}` goes on with it.")
    seats = decisions.assign_question_seats(prepared, as_json, current_run, _print_notice)
    if prepared.request.links:
        _print_notice(SERVE)
    finished = decisions.ask_everyone(prepared, current_run, seats, _print_notice)
    print_end(finished, prepared, as_json)


def _build_run_request(options_given: Mapping[str, Any]) -> Any:
    """What `run` was given, as a request. Raises UsageError for what does not go together."""
    return _build_request(
        options_given,
        source=" ".join(options_given["source"] or []),
        advocates=_parse_pairs(options_given["advocate"] or [], "--advocate"),
        preferences=options_given["preferences"],
        choose=options_given["choose"],
        work=options_given["work"],
    )


def _build_ask_request(options_given: Mapping[str, Any]) -> Any:
    """What `ask` was given, as a request. Raises UsageError for what does not go together."""
    from graphbus_core.errors import UsageError

    if not options_given["decision"]:
        raise UsageError("Name the decision: `graphbus consent ask DECISION.yaml`.")
    return _build_request(options_given, source=options_given["decision"], preferences="sealed")


def _build_request(options_given: Mapping[str, Any], **own: Any) -> Any:
    """A request: what both commands take, and what is one command's own."""
    from graphbus_core.errors import UsageError
    from graphbus_core.services.decisions import Request, parse_duration

    is_asking = own.get("preferences") == "sealed" and "decision" in options_given
    if (options_given["deadline"] or (options_given["notify"] and is_asking)) and not options_given["links"]:
        raise UsageError("--deadline and --notify are for people behind links: give --links as well.")
    if options_given["deadline"]:
        parse_duration(options_given["deadline"])
    models = options_given["model"] or []
    same = ("max_turns", "seed", "output", "stand_aside", "deadline", "notify")
    return Request(
        **{name: options_given[name] for name in same},
        model=next((m for m in reversed(models) if not _is_pair(m)), None),
        models=_parse_pairs([m for m in models if _is_pair(m)], "--model"),
        humans=tuple(options_given["human"] or []),
        comms=None if options_given["comms"] == "none" else options_given["comms"],
        links=options_given["links"] or None,
        **own,
    )


def serve(
    run_id: RunId = None,
    host: Annotated[str, typer.Option(help="Where to listen; beyond loopback give TLS files.")] = "127.0.0.1",
    port: options.Port = 8421,
    tls_cert: Annotated[str | None, typer.Option(help="The certificate (PEM).")] = None,
    tls_key: Annotated[str | None, typer.Option(help="Its key (PEM).")] = None,
    allow_host: options.AllowHost = None,
    new_link: Annotated[
        str | None, typer.Option(help="Make this person a new link first; whoever sits there is out.")
    ] = None,
) -> None:
    """Serve the seat pages of `ask --links`, and nothing else of the project. Each link opens one seat, once."""
    from pathlib import Path

    from graphbus_core.errors import UsageError
    from graphbus_core.http.server import ListenAddress, serve_seats
    from graphbus_core.services.decisions import Runs, load_or_create_keys
    from graphbus_core.services.decisions.records import LinkedSeats

    def say(line: str) -> None:
        typer.echo(escape_text(line))

    served_run = Runs(Path.cwd()).find(run_id)
    seats = LinkedSeats(Path.cwd(), say)
    if not load_or_create_keys(served_run):
        raise UsageError(
            f"{served_run.id} has no links. Start one with `graphbus consent ask DECISION.yaml --links`, or `run`."
        )
    files = [Path(f) if f else None for f in (tls_cert, tls_key)]

    def render_links(url: str) -> list[str]:
        base = _replace_host(url, allow_host[0]) if allow_host else url
        proxied = ["Behind a proxy, put its address in the place of this one."] if allow_host and not tls_cert else []
        lines = [
            f"  {name}  {base}seat#{key}" if key else f"  {name}  has sat down (--new-link {name} makes a new link)"
            for name, key in seats.list_links(served_run)
        ]
        return [f"The seats of {served_run.id}:", "", *lines, "", *proxied, "Ctrl-C stops it."]

    address = ListenAddress(host, port, tuple(allow_host or ()), files[0], files[1])
    if new_link is not None:
        seats.renew(served_run, new_link)
    serve_seats(seats, render_links, address, say)


def _replace_host(url: str, name: str) -> str:
    """The address under another name, with the port that is listened on: it is what reaches this server."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{name}:{rest.strip('/').rpartition(':')[2]}/"


def resume(run_id: RunId = None, as_json: AsJson = False) -> None:
    """Go on with a negotiation that was interrupted. What was answered is not asked again."""
    from pathlib import Path

    from graphbus_core.services import decisions

    resumed_run = decisions.Runs(Path.cwd()).find(run_id)
    prepared = decisions.seat_people_behind_links(
        decisions.resume(resumed_run, prompts_to_stderr=as_json), resumed_run, _print_notice
    )
    print_end(decisions.run(prepared, resumed_run, None if as_json else _print_event), prepared, as_json)


def _print_notice(text: str) -> None:
    typer.echo(f"graphbus: {escape_text(text)}", err=True)


def _is_pair(text: str) -> bool:
    name, mark, _ = text.partition("=")
    return bool(mark) and ":" not in name


def _parse_pairs(texts: list[str], option: str) -> dict[str, str]:
    from graphbus_core.errors import UsageError

    pairs: dict[str, str] = {}
    for text in texts:
        name, mark, value = text.partition("=")
        if not mark or not name.strip() or not value.strip():
            raise UsageError(f"{option} {text!r}: write NAME=value.")
        if name.strip() in pairs:
            raise UsageError(f"{option}: {name.strip()!r} is named twice.")
        pairs[name.strip()] = value.strip()
    return pairs


def _print_event(event: Any) -> None:
    from graphbus_core.services.decisions import render_block

    event_text = render_block(event)
    if event_text is not None:
        typer.echo(escape_text(event_text) + "\n")


# `graphbus consent status|show|read|verify|why|picture|schema`: what a negotiation came to, and whether that holds.


def status(run_id: RunId = None, as_json: AsJson = False) -> None:
    """The final status block, or how far it got (exit 1 while nothing is agreed)."""
    import json

    from graphbus_core.services.decisions import records

    record = records.read_decision(run_id)
    if record.finished is None:
        state = record.state
        progress = {
            "status": "RUNNING",
            "turns": state.turns,
            "max_turns": state.config.max_turns,
            "phase": state.phase,
        }
        typer.echo(
            json.dumps(progress) if as_json else f"STATUS: RUNNING\nTURNS: {state.turns} of {state.config.max_turns}"
        )
        raise typer.Exit(1)
    print_end(record.finished, record.prepared, as_json)


def show(
    run_id: RunId = None,
    document: Annotated[
        bool, typer.Option("--document", help="The output document instead of the transcript.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """What was said, in the seed's blocks."""
    import json

    from graphbus_core.services.decisions import filter_tellable, records, render_output_document, render_transcript

    record = records.read_decision(run_id)
    if as_json:
        typer.echo(
            json.dumps([{"fact": e.kind, **e.to_dict()} for e in filter_tellable(record.events)], ensure_ascii=False)
        )
    elif document:
        typer.echo(escape_text(render_output_document(record.prepared, record.require_finished(), record.run.log)))
    else:
        typer.echo(escape_text(render_transcript(filter_tellable(record.events))), nl=False)


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

    from graphbus_core.services.decisions import (
        extract_last_negotiation,
        list_term_lines,
        read_text,
        read_transcript,
        render_status_block,
    )

    text, before = extract_last_negotiation(read_text(Path(file)))
    transcript = read_transcript(text, advocate or [], stand_aside=stand_aside)
    if before:
        typer.echo(
            f"graphbus: {before} earlier negotiation(s) end in {escape_text(file)}; this is the last one.", err=True
        )
    if as_json:
        report = {
            "status": transcript.status,
            "turns": transcript.turns,
            "speaking_turns": transcript.speaking_turns,
            "participants": transcript.advocates,
            **({"stood_aside": dict(transcript.aside)} if stand_aside else {}),
            "agreement": list_term_lines(transcript.agreement) if transcript.agreement is not None else None,
            "faults": list(transcript.faults),
            "claimed": transcript.claimed,
        }
        typer.echo(json.dumps(report, ensure_ascii=False))
    else:
        typer.echo(
            escape_text(
                render_status_block(
                    transcript.status,
                    transcript.turns,
                    transcript.claimed.get("OUTPUT"),
                    transcript.advocates,
                    transcript.aside,
                )
            )
        )
        for line in list_term_lines(transcript.agreement):
            typer.echo(escape_text(f"- {line}"))
        for fault in transcript.faults:
            typer.echo(escape_text(f"! {fault}"))
    if transcript.faults or transcript.status != "DONE":
        raise typer.Exit(1)


def verify(
    file: Annotated[str, typer.Argument(help="An output document, or a certificate or proof as JSON.")],
    scenario: Annotated[str | None, typer.Option(help="The scenario; without it, the one that the file names.")] = None,
    log: Annotated[str | None, typer.Option(help="The run's folder or log; without it, the one it names.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check every claim: numbers from the scenario, words, votes and counts from the log. Exits 1 unless all holds."""
    import json

    from graphbus_core.services.decisions import verify_file

    verification = verify_file(file, scenario, log)
    if as_json:
        report = {
            "holds": verification.holds,
            "kind": verification.kind,
            "numbers": verification.numbers,
            "attested": verification.attested,
            "wrong": list(verification.wrong),
        }
        typer.echo(json.dumps(report, ensure_ascii=False))
    elif verification.wrong:
        typer.echo(escape_text("\n".join(["It does not hold:", *(f"- {w}" for w in verification.wrong)])))
    elif not verification.attested:
        typer.echo(
            f"The numbers hold (computed again from {verification.against}), consent is not attested: "
            f"{verification.why_not}. "
            "A certificate is not a signature; give the negotiation's log with --log."
        )
    else:
        kind = {"possible": "proof that an agreement exists", "deadlock": "proof"}.get(verification.kind, "certificate")
        typer.echo(f"The {kind} holds: computed again from {verification.against}, and attested by its log.")
    if not verification.holds:
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

    from graphbus_core.services.decisions import explain_outcome, records

    record = records.read_decision(run_id)
    reasons = explain_outcome(record.prepared.scenario, record.state.outcome, to_win)
    typer.echo(json.dumps(reasons.data, ensure_ascii=False) if as_json else escape_text(reasons.text))


def picture(
    run_id: RunId = None,
    output: Annotated[str | None, typer.Option(help="A file; without it the SVG is printed.")] = None,
) -> None:
    """Satisfaction over the proposals and the frontier, as SVG. Scores must be disclosed."""
    from pathlib import Path

    from graphbus_core.errors import UsageError
    from graphbus_core.services.decisions import check_writable, draw_outcome, records, write_document

    record = records.read_decision(run_id)
    svg = draw_outcome(record.require_finished())
    if svg is None:
        why = "has no scores" if record.prepared.scenario.preferences == "disclosed" else "does not disclose its scores"
        raise UsageError(f"This decision {why}: there is nothing to draw.")
    if output is None:
        typer.echo(svg)
        return
    if Path(output).suffix.lower() != ".svg":
        raise UsageError(f"--output {output!r}: the picture is SVG; name a file that ends with .svg.")
    check_writable(Path(output), "--output")
    write_document(Path(output), svg)
    typer.echo(escape_text(output))


def schema() -> None:
    """The JSON Schema of a scenario file, for editors."""
    import json

    from graphbus_core.services.decisions import SCENARIO_SCHEMA

    typer.echo(json.dumps(SCENARIO_SCHEMA, indent=2))


app = typer.Typer(add_completion=False, no_args_is_help=True)
COMMANDS: dict[str, Callable[..., None]] = {
    "run": run,
    "ask": ask,
    "resume": resume,
    "serve": serve,
    "status": status,
    "show": show,
    "why": why,
    "picture": picture,
    "read": read,
    "verify": verify,
    "schema": schema,
}
for name, command in COMMANDS.items():
    app.command(name)(command)
