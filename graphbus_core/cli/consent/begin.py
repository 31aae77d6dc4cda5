"""`graphbus consent run|ask|resume|serve`: what begins a negotiation, or goes on with one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from graphbus_core.cli import options
from graphbus_core.cli.consent.ended import RunId, tell_end
from graphbus_core.cli.options import AsJson
from graphbus_core.shown import shown

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
    given = dict(locals())
    from pathlib import Path

    from graphbus_core.errors import UsageError
    from graphbus_core.workspace import consents

    if links and not human:
        raise UsageError("--links is for people: name each with --human NAME.")
    prepared = consents.prepare(_talked(given), prompts_to_stderr=as_json)
    kept = consents.Runs(Path.cwd()).new()
    if links:
        _tell(f"this is {kept.id}; `graphbus consent resume {kept.id}` goes on with it.")
        _tell(SERVE)
    finished = consents.run(consents.linked(prepared, kept, _tell), kept, None if as_json else _show_event)
    tell_end(finished, prepared, as_json)


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
    given = dict(locals())
    from pathlib import Path

    from graphbus_core.workspace import consents

    if go_on is not None:
        kept = consents.Runs(Path.cwd()).find(go_on)
        prepared = consents.resume(kept, prompts_to_stderr=as_json)
    else:
        prepared = consents.prepare(_sealed(given), prompts_to_stderr=as_json)
        kept = consents.Runs(Path.cwd()).new()
    _tell(f"this is {kept.id}; `graphbus consent ask --resume {kept.id}` goes on with it.")
    seats = consents.asked_seats(prepared, as_json, kept, _tell)
    if prepared.request.links:
        _tell(SERVE)
    finished = consents.ask_everyone(prepared, kept, seats, _tell)
    tell_end(finished, prepared, as_json)


def _talked(given: Mapping[str, Any]) -> Any:
    """What `run` was given, as a request. Raises UsageError for what does not go together."""
    return _request(
        given,
        source=" ".join(given["source"] or []),
        advocates=_pairs(given["advocate"] or [], "--advocate"),
        preferences=given["preferences"],
        choose=given["choose"],
        work=given["work"],
    )


def _sealed(given: Mapping[str, Any]) -> Any:
    """What `ask` was given, as a request. Raises UsageError for what does not go together."""
    from graphbus_core.errors import UsageError

    if not given["decision"]:
        raise UsageError("Name the decision: `graphbus consent ask DECISION.yaml`.")
    return _request(given, source=given["decision"], preferences="sealed")


def _request(given: Mapping[str, Any], **own: Any) -> Any:
    """A request: what both commands take, and what is one command's own."""
    from graphbus_core.errors import UsageError
    from graphbus_core.workspace.consents import Request, seconds

    if (given["deadline"] or given["notify"]) and not given["links"]:
        raise UsageError("--deadline and --notify are for people behind links: give --links as well.")
    if given["deadline"]:
        seconds(given["deadline"])
    models = given["model"] or []
    same = ("max_turns", "seed", "output", "stand_aside", "deadline", "notify")
    return Request(
        **{name: given[name] for name in same},
        model=next((m for m in reversed(models) if not _is_pair(m)), None),
        models=_pairs([m for m in models if _is_pair(m)], "--model"),
        humans=tuple(given["human"] or []),
        comms=None if given["comms"] == "none" else given["comms"],
        links=given["links"] or None,
        **own,
    )


def serve(
    run_id: RunId = None,
    host: Annotated[str, typer.Option(help="Where to listen; beyond loopback give TLS files.")] = "127.0.0.1",
    port: options.Port = 8421,
    tls_cert: Annotated[str | None, typer.Option(help="The certificate (PEM).")] = None,
    tls_key: Annotated[str | None, typer.Option(help="Its key (PEM).")] = None,
    allow_host: options.AllowHost = None,
) -> None:
    """Serve the seat pages of `ask --links`, and nothing else of the project. Each link opens one seat alone."""
    from pathlib import Path

    from graphbus_core.api.seats import Listening, serve_seats
    from graphbus_core.errors import UsageError
    from graphbus_core.workspace.consents import Runs, keys_of

    kept = Runs(Path.cwd()).find(run_id)
    keys = keys_of(kept)
    if not keys:
        raise UsageError(
            f"{kept.id} has no links. Start one with `graphbus consent ask DECISION.yaml --links`, or `run`."
        )
    files = [Path(f) if f else None for f in (tls_cert, tls_key)]

    def links(url: str) -> list[str]:
        base = _reached_by(url, allow_host[0]) if allow_host else url
        proxied = ["Behind a proxy, put its address in the place of this one."] if allow_host and not tls_cert else []
        seats = [f"  {n}  {base}seat#{k}" for n, k in keys.items()]
        return [f"The seats of {kept.id}:", "", *seats, "", *proxied, "Ctrl-C stops it."]

    at = Listening(host, port, tuple(allow_host or ()), files[0], files[1])
    serve_seats(Path.cwd(), links, at, lambda line: typer.echo(shown(line)))


def _reached_by(url: str, name: str) -> str:
    """The address under another name, with the port that is listened on: it is what reaches this server."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{name}:{rest.strip('/').rpartition(':')[2]}/"


def resume(run_id: RunId = None, as_json: AsJson = False) -> None:
    """Go on with a negotiation that was interrupted. What was answered is not asked again."""
    from pathlib import Path

    from graphbus_core.workspace import consents

    kept = consents.Runs(Path.cwd()).find(run_id)
    prepared = consents.linked(consents.resume(kept, prompts_to_stderr=as_json), kept, _tell)
    tell_end(consents.run(prepared, kept, None if as_json else _show_event), prepared, as_json)


def _tell(text: str) -> None:
    typer.echo(f"graphbus: {shown(text)}", err=True)


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
    from graphbus_core.workspace.consents import block

    said = block(event)
    if said is not None:
        typer.echo(shown(said) + "\n")
