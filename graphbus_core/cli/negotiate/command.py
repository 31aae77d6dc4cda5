"""`graphbus negotiate`: what its commands are called and take. What they do stands in `negotiate_commands`.

Under `negotiate` bad usage is 64, so that a typo never reads as "done".
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from graphbus_core.cli.negotiate import operations
from graphbus_core.cli.negotiate.operations import EXIT_USAGE
from graphbus_core.cli.options import AsJson, Human, JsonLines

__all__ = ["EXIT_USAGE", "app"]  # `main` asks for the code of bad usage

app = typer.Typer(
    help="Bring several documents to one, in turns, over a directory.", no_args_is_help=True, add_completion=False
)

Dir = Annotated[Path, typer.Argument(metavar="DIR", help="The negotiation's directory.", show_default=False)]


def _check_not_empty(value: str) -> str:
    """A name that is one."""
    if not value.strip():
        raise typer.BadParameter("it is empty.")
    return value


Name = Annotated[
    str, typer.Argument(metavar="NAME", help="Your name at the table.", show_default=False, callback=_check_not_empty)
]
Issue = Annotated[str, typer.Argument(metavar="ISSUE", help="Its file name, number or topic.", show_default=False)]
Text = Annotated[str | None, typer.Option("--text", help="The words themselves.", show_default=False)]
File = Annotated[
    str,
    typer.Option("--file", help="Read the words from a file; - is standard input, the default.", show_default=False),
]
Participant = Annotated[
    str,
    typer.Option(
        "--participant", help="Your identity, where several agents share a session: one seat each.", show_default=False
    ),
]
SeatFile = Annotated[
    Path | None,
    typer.Option(
        "--seat", help="The file of your seat's token, as `start` and `register` name it.", show_default=False
    ),
]
Trust = Annotated[
    str, typer.Option("--trust", help="`names`: the seat needs no token. For agents that only make no mistakes.")
]
Within = Annotated[float, typer.Option("--for", help="Seconds to wait at most; then exit 1: call again.")]
Window = Annotated[float | None, typer.Option(help="Seconds of registration; 120 by default.")]
ActsAs = Annotated[str, typer.Option("--as", help="Your name, to be refused out of turn.", show_default=False)]
MaybeName = Annotated[str, typer.Argument(metavar="[NAME]", help="Your name, if you give no --seat.")]
Git = Annotated[
    bool, typer.Option("--git", help="Share DIR between machines: each command pulls first, pushes what it records.")
]
Rigorous = Annotated[bool, typer.Option("--rigorous", help="Analysis first, challenge, coverage audit.")]


def _exit(code: int) -> None:
    if code:
        raise typer.Exit(code)


@app.command("init")
def init(
    directory: Dir,
    agents: Annotated[int, typer.Argument(metavar="AGENTS", help="How many agents are expected.")] = 2,
    window: Annotated[float, typer.Argument(metavar="WINDOW", help="Seconds of registration.")] = 120,
    max_rounds: Annotated[int, typer.Option(help="Rounds of an agent on an issue, before it escalates.")] = 5,
    turn_timeout: Annotated[float, typer.Option(help="Seconds of silence after which a holder is skipped.")] = 600,
    poll_interval: Annotated[float, typer.Option(help="Seconds between two polls.")] = 5,
    rigorous: Rigorous = False,
    human: Human = False,
    git: Git = False,
    as_json: AsJson = False,
) -> None:
    """Open a negotiation. Exit: 0 you are the initializer; 3 somebody else is, join; 1 error."""
    settings = {
        "expected_agents": agents,
        "registration_window_s": window,
        "max_rounds": max_rounds,
        "poll_interval_s": poll_interval,
        "turn_timeout_s": turn_timeout,
        "rigorous": rigorous,
        "judge": "human" if human else "",
    }
    _exit(operations.init(directory, settings, as_json, git))


@app.command("register")
def register(
    directory: Dir,
    name: Name,
    participant: Participant = "",
    seat: SeatFile = None,
    trust: Trust = "",
    as_json: AsJson = False,
) -> None:
    """Take a seat. Its token is kept in --seat FILE, or beside your other state; --trust names does without. Exit: 0;
    1 the name is taken; 2 error; 4 you already sit under another name."""
    _exit(operations.register(directory, name, as_json, participant, seat, trust))


@app.command("wait-for-start")
def wait_for_start(directory: Dir, name: Name, as_json: AsJson = False) -> None:
    """Wait until registration is over. Exit: 0 started (prints the turn order); 1 not registered; 2 too few agents."""
    _exit(operations.wait_for_start(directory, name, as_json))


@app.command("poll")
def poll(directory: Dir, name: Name, as_json: AsJson = False) -> None:
    """Whose turn it is. Exit: 0 yours; 1 wait; 2 done. Whoever holds the turn and polls is alive."""
    _exit(operations.poll(directory, name, as_json))


@app.command("wait-turn")
def wait_turn(
    directory: Dir,
    name: Name,
    within: Within = 540,
    as_json: AsJson = False,
) -> None:
    """Wait until it is your turn: no polling loop to forget. Exit: 0 yours; 1 not yet, call again; 2 done."""
    _exit(operations.wait_turn(directory, name, within, as_json))


@app.command("new-issue")
def new_issue(
    directory: Dir,
    topic: Annotated[str, typer.Argument(metavar="TOPIC", show_default=False)],
    name: ActsAs = "",
    seat: SeatFile = None,
    as_json: AsJson = False,
) -> None:
    """File an issue; prints its file name. Exit: 0; 2 error."""
    _exit(operations.create_issue(directory, topic, name, as_json, seat))


@app.command("conflict")
def conflict(
    directory: Dir,
    first: Annotated[str, typer.Argument(metavar="PLACE", help="A statement, as fates.md names it.")],
    second: Annotated[str, typer.Argument(metavar="PLACE", help="One of another source that cannot stand beside it.")],
    name: ActsAs = "",
    seat: SeatFile = None,
    as_json: AsJson = False,
) -> None:
    """Say that two statements are in conflict: files an issue on them; prints its file name. Exit: 0; 2 error."""
    _exit(operations.file_conflict(directory, f"{first} {second}", name, as_json, seat))


@app.command("hand-off")
def hand_off(directory: Dir, name: MaybeName = "", seat: SeatFile = None, as_json: AsJson = False) -> None:
    """Hand the turn over with what you wrote, or say every reason why not; then you keep it. Exit: 0; 1 refused."""
    _exit(operations.hand_off(directory, _check_not_empty(name) if seat is None else name, as_json, seat))


@app.command("status")
def status(directory: Dir, as_json: AsJson = False) -> None:
    """Every issue and its state, with what the holder has written so far. Exit: 0."""
    _exit(operations.show_status(directory, as_json))


@app.command("finish")
def finish(directory: Dir, seat: SeatFile = None, as_json: AsJson = False) -> None:
    """Accept final.md as it lies there; the last acceptance ends it. Exit: 0; 1 others have still to accept it, or
    something is open or missing."""
    _exit(operations.finish(directory, as_json, seat))


@app.command("start")
def start(
    directory: Dir,
    topic: Annotated[str, typer.Argument(metavar="TOPIC", help="What is negotiated.")] = "",
    source: Annotated[list[Path] | None, typer.Option(help="Your plan; may be repeated.")] = None,
    name: Annotated[str, typer.Option(help="A name of your own; else the next usual one.")] = "",
    agents: Annotated[int | None, typer.Option(help="How many agents are expected; 2 by default.")] = None,
    window: Window = None,
    rigorous: Rigorous = False,
    participant: Participant = "",
    resume: Annotated[bool, typer.Option("--resume", help="Go on as --name, after a restart.")] = False,
    wait: Annotated[bool, typer.Option("--wait/--no-wait", help="Wait for the others.")] = True,
    seat: SeatFile = None,
    trust: Trust = "",
    git: Git = False,
    as_json: AsJson = False,
) -> None:
    """Open or join, name yourself, register, wait for the start: one command. Exit: 0 started; 1 no seat; 2 too few.
    The settings are those of whoever opens it; who joins is told what differs."""
    settings = {"expected_agents": agents, "registration_window_s": window, "rigorous": rigorous or None}
    me = (name, resume, wait, as_json, participant, seat, trust, git)
    _exit(operations.start(directory, settings, topic, source or [], *me))


@app.command("position")
def position(
    directory: Dir,
    name: Name,
    issue: Issue,
    said: Text = None,
    file: File = "",
    challenge: Annotated[bool, typer.Option("--challenge", help="The strongest objection; it is not a round.")] = False,
    seat: SeatFile = None,
    as_json: AsJson = False,
) -> None:
    """Append your position on an issue; a second one in the same turn takes its place. Exit: 0; 1 refused."""
    kind = "challenge" if challenge else "position"
    _exit(operations.write(directory, name, issue, said, file, kind, as_json=as_json, seat=seat))


@app.command("offer")
def offer(
    directory: Dir,
    name: Name,
    issue: Issue,
    said: Text = None,
    file: File = "",
    seat: SeatFile = None,
    as_json: AsJson = False,
) -> None:
    """Offer the decision in words: it stands when every other agent has accepted it. Exit: 0; 1 refused."""
    _exit(operations.write(directory, name, issue, said, file, "offer", as_json=as_json, seat=seat))


@app.command("accept")
def accept(
    directory: Dir,
    name: Name,
    issue: Issue,
    digest: Annotated[
        str, typer.Argument(metavar="[HASH]", help="Which offer; the newest of another agent else.")
    ] = "",
    seat: SeatFile = None,
    as_json: AsJson = False,
) -> None:
    """Accept another agent's offer as it stands. Exit: 0; 1 refused."""
    _exit(operations.write(directory, name, issue, accept=digest, as_json=as_json, seat=seat))


@app.command("agree")
def agree(
    directory: Dir,
    name: Name,
    issue: Issue,
    said: Text = None,
    file: File = "",
    seat: SeatFile = None,
    as_json: AsJson = False,
) -> None:
    """Accept an offer by repeating it word for word; any other text is your own offer. Exit: 0; 1 refused."""
    _exit(operations.write(directory, name, issue, said, file, mark="AGREED", as_json=as_json, seat=seat))


@app.command("escalate")
def escalate(
    directory: Dir,
    name: Name,
    issue: Issue,
    said: Text = None,
    file: File = "",
    seat: SeatFile = None,
    as_json: AsJson = False,
) -> None:
    """In your last round: ESCALATE an issue, with a summary of the disagreement. Exit: 0; 1 refused."""
    _exit(operations.write(directory, name, issue, said, file, mark="ESCALATE", as_json=as_json, seat=seat))


@app.command("turn")
def turn(
    directory: Dir,
    name: MaybeName = "",
    within: Within = 100,
    everything: Annotated[bool, typer.Option("--all", help="Show everything again, not only what is new.")] = False,
    seat: SeatFile = None,
    as_json: AsJson = False,
) -> None:
    """Wait for your turn, and print what is new and what you owe. Exit: 0 yours; 1 not yet, call again; 2 done."""
    from graphbus_core.cli.negotiate import operations

    _exit(operations.show_turn(directory, name, within, everything, as_json, seat))


@app.command("say")
def say(
    directory: Dir,
    name: MaybeName = "",
    file: File = "",
    keep: Annotated[bool, typer.Option("--keep", help="Neither hand off nor finish.")] = False,
    seat: SeatFile = None,
    as_json: AsJson = False,
) -> None:
    """A whole turn at once: offers, acceptances, issues, all or nothing; then hand off, or finish when all is agreed.
    `turn` prints the form. Exit: 0; 1 refused, with every reason and its line."""
    from graphbus_core.cli.negotiate import operations

    _exit(operations.say_turn(directory, name, file, keep, as_json, seat))


@app.command("reopen")
def reopen(
    directory: Dir,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Your name, or `human`.", show_default=False)],
    issue: Issue,
    seat: SeatFile = None,
    as_json: AsJson = False,
) -> None:
    """Set an issue back to OPEN: an agent in its turn, before it stands; a person (`human`) at any time."""
    _exit(operations.reopen(directory, name, issue, as_json, seat))


@app.command("rule")
def rule(directory: Dir, issue: Issue, said: Text = None, file: File = "", as_json: AsJson = False) -> None:
    """Decide an escalated issue, as a person. Exit: 0; 1 refused."""
    _exit(operations.rule(directory, issue, said, file, as_json))


@app.command("analysis-done")
def analysis_done(directory: Dir, name: Name, seat: SeatFile = None, as_json: AsJson = False) -> None:
    """Your independent analysis is in analysis/NAME.md, your issues in issues-draft/NAME/ (--rigorous)."""
    _exit(operations.submit_analysis(directory, name, as_json, seat))


@app.command("show")
def show(
    directory: Dir,
    issue: Annotated[str, typer.Option(help="One issue only.", show_default=False)] = "",
    source: Annotated[str, typer.Option(help="One source only, a page at a time.", show_default=False)] = "",
    page: Annotated[int, typer.Option(help="Which page of --source.", min=1)] = 1,
    as_json: AsJson = False,
) -> None:
    """Everything there is to read: topic, sources, issues, positions, decisions, and what was skipped or put back."""
    if source:
        _exit(operations.show_source(directory, source, page, as_json))
    else:
        _exit(operations.show(directory, issue, as_json))


@app.command("watch")
def watch(
    directory: Dir,
    within: Annotated[float, typer.Option("--for", help="Seconds to watch at most.")] = 3600,
    as_json: JsonLines = False,
) -> None:
    """Follow what happens until it is over. Exit: 0 finished; 1 it ended without a document, or the time is up."""
    _exit(operations.watch(directory, within, as_json))


@app.command("verify")
def verify(directory: Dir, as_json: AsJson = False) -> None:
    """Check that the log is whole and that the files say what it says. Exit: 0; 1 they differ."""
    _exit(operations.verify(directory, as_json))


@app.command("recover")
def recover(directory: Dir, as_json: AsJson = False) -> None:
    """Put files back as the log has them. Nothing is lost: what differs is kept in .graphbus/aside. Exit: 0."""
    _exit(operations.recover(directory, as_json))


@app.command("run")
def run_(
    directory: Dir,
    topic: Annotated[str, typer.Option(help="What is negotiated.")] = "",
    source: Annotated[list[Path] | None, typer.Option(help="A document; each gets a seat. May be repeated.")] = None,
    model: Annotated[str | None, typer.Option(help="PROVIDER:NAME, a bare name, or scripted:FILE.")] = None,
    beside: Annotated[
        int | None, typer.Option("--with", help="How many other agents are expected at the table.")
    ] = None,
    human: Human = False,
    rigorous: Rigorous = False,
    window: Window = None,
    max_rounds: Annotated[
        int | None, typer.Option(help="Rounds of an agent on an issue, before it escalates; 5 by default.")
    ] = None,
    turn_timeout: Annotated[
        float | None, typer.Option(help="Seconds of silence after which a holder is skipped; 600 by default.")
    ] = None,
    max_cost_usd: Annotated[float | None, typer.Option(help="Stop asking when this is spent.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Stop asking when these are used.")] = None,
    as_json: AsJson = False,
) -> None:
    """Seat models and let them bring the sources to one document; run again to go on. Exit: 0 finished; 1 no document,
    or no seat; 70 a model that cannot answer. What a negotiation was opened with holds: a run that asks for something
    else is refused (64)."""
    from graphbus_core.cli.negotiate.run import run
    from graphbus_core.services.documents.seating import RunRequest

    settings = {"registration_window_s": window, "max_rounds": max_rounds, "turn_timeout_s": turn_timeout}
    request = RunRequest(topic, source or [], beside, human, {**settings, "rigorous": rigorous or None})
    _exit(run(directory, request, {"model": model, "max_cost_usd": max_cost_usd, "max_tokens": max_tokens}, as_json))
