"""`graphbus build`: options -> BuildConfig, BuildArtifacts -> text or JSON."""

from __future__ import annotations

import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from graphbus_core.cli import options as shared
from graphbus_core.cli.build.plain import build_report, render_build, render_findings
from graphbus_core.cli.options import Many, build_setting_option
from graphbus_core.errors import UsageError
from graphbus_core.text import escape_text

if TYPE_CHECKING:
    from graphbus_core.config import BuildConfig

# A build that negotiates, at the terminal: what to do with one that was left unfinished, and how to go on.


def negotiate_build(config: BuildConfig, as_json: bool) -> Any:
    """Run the build; the story goes to stderr. Ctrl-C ends it with 130 and the command that goes on with it."""
    from rich.console import Console  # only here: a plain build tells no story

    from graphbus_core.cli.build.live_view import LiveView
    from graphbus_core.services import build_command

    # Before anything is asked: Ctrl-C inside an import leaves half a module in memory.
    build_command.load_negotiation()
    if not config.resume and not config.fresh:
        config = _offer_unfinished(config, as_json)
    with LiveView(Console(stderr=True, emoji=False)) as story:
        try:
            approver = _seat_person_on_stderr() if config.enable_human_in_loop else None
            return build_command.negotiate(config, _print_notice if as_json else story, approver, _find_people(config))
        except KeyboardInterrupt:
            # People press Ctrl-C twice. The second must not cut off the one sentence that says how to go on.
            with _ignore_interrupts():  # pressed again, it must not cut off what it takes to say how to go on
                resume_hint = _explain_how_to_resume(config)
            raise KeyboardInterrupt(resume_hint) from None


@contextmanager
def _ignore_interrupts() -> Iterator[None]:
    # Signals belong to the main thread; elsewhere (a test, a server) nothing is pressed.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _print_notice(kind: str, data: Any) -> None:
    """For programs: stdout is theirs, and what a person should know stands beside it."""
    if kind == "notice" and data.get("warning"):
        typer.echo(data["text"], err=True)


def _seat_person_on_stderr() -> Any:
    """Who approves at the terminal: shown the change where the story is told, so that stdout keeps the result alone."""
    from graphbus_core.services.questions import TerminalParticipant, read_line

    return TerminalParticipant(
        lambda prompt: read_line(prompt, to_stderr=True), lambda text: typer.echo(text, err=True)
    )


def _find_people(config: BuildConfig) -> dict[str, Any]:
    """Whom people spoke for in the build that is resumed: asked at this terminal, where there is one."""
    from graphbus_core.services.build_command import find_unfinished

    unfinished_build = find_unfinished(config.output_dir) if config.resume else None
    if unfinished_build is None or not unfinished_build.people or not (sys.stdin.isatty() and sys.stderr.isatty()):
        # Without a terminal nobody can answer, and the resumed build takes what rules say.
        return {}
    return dict.fromkeys(unfinished_build.people, _seat_person_on_stderr())


def _offer_unfinished(config: BuildConfig, as_json: bool) -> BuildConfig:
    """Where a negotiation was left unfinished: ask a person at a terminal. Elsewhere the build says it and starts."""
    # A program must never be asked. It says --resume or --fresh, or gets a new build.
    if as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return config
    from graphbus_core.services.build_command import find_unfinished_now

    unfinished_build = find_unfinished_now(config.output_dir)
    if unfinished_build is None or unfinished_build.ended:
        return config
    # "Stop" is the default: a person who presses Enter without reading loses nothing.
    reply = typer.prompt(f"{unfinished_build.offer} Which? [r]esume, [f]resh, or [s]top", default="s", err=True)
    chosen = str(reply).strip().lower()
    if chosen in ("r", "resume", "--resume"):
        return replace(config, resume=True)
    if chosen in ("f", "fresh", "--fresh"):
        return replace(config, fresh=True)
    raise UsageError(
        f"Nothing was done. Go on with `{_render_command(config, '--resume')}`, or start over by saying "
        f"--fresh beside your "
        "other options."
    )


def _explain_how_to_resume(config: BuildConfig) -> str:
    """What to type next: it works as it stands, because the options are kept with the negotiation."""
    from graphbus_core.services.build_command import find_unfinished

    if find_unfinished(config.output_dir) is None:
        return "Interrupted, before anything was asked. Run the same command again."
    return (
        "Interrupted. What was answered and committed is kept; go on with\n"
        f"  {_render_command(config, '--resume')}\n"
        "or start over with the same options and --fresh."
    )


def _render_command(config: BuildConfig, *more: str) -> str:
    place = [] if config.output_dir == ".graphbus" else ["--output-dir", config.output_dir]
    address = ["--base-url", config.llm_config.base_url] if config.llm_config and config.llm_config.base_url else []
    return shlex.join(["graphbus", "build", config.root_package, "--enable-agents", *place, *address, *more])


# The options of `graphbus build`: how each is said. What they come to is `workspace.does.options`.


Path = Annotated[
    str | None,
    typer.Argument(help="The folder of the agents, or a dotted package; default: `roots` of the settings."),
]
EnableAgents = Annotated[bool, typer.Option("--enable-agents", help="Negotiate, and edit what is agreed.")]
Rounds = Annotated[int | None, build_setting_option("rounds", show_default="3")]
OutputDir = Annotated[
    str | None, typer.Option("--output-dir", "-o", help="Where the build goes.", show_default=".graphbus")
]
Model = Annotated[
    Many,
    build_setting_option("model", "--model", "--llm-model", "--seat"),
]
Intent = Annotated[str | None, typer.Option(help="What you want, in your words; every agent is told.")]
Goal = Annotated[Many, typer.Option(help="A refactoring goal (may be repeated).")]
Verify = Annotated[str | None, build_setting_option("verify")]
Answers = Annotated[
    str | None, typer.Option(help="Who says what is meant where rules have no evidence: a YAML file, or a model.")
]
Arbiter = Annotated[Many, build_setting_option("policy.arbiters")]
Protect = Annotated[Many, build_setting_option("policy.protect")]
FallbackModel = Annotated[str | None, build_setting_option("fallback_model", "--fallback-model")]
MaxCost = Annotated[float | None, build_setting_option("budget.cost_usd")]
MaxTokens = Annotated[int | None, build_setting_option("budget.tokens")]
MaxWall = Annotated[float | None, build_setting_option("budget.wall_s")]
BaseUrl = Annotated[str | None, typer.Option(help="The address of the model's server, such as one on this machine.")]
AnswerTimeout = Annotated[float | None, typer.Option(help="Seconds that one answer may take.", show_default="120")]
Concurrency = Annotated[int | None, typer.Option(help="Questions under way at once.", show_default="64")]
OutputTokens = Annotated[int | None, typer.Option(help="Tokens that one answer may have.", show_default="8000")]
AllowImports = Annotated[
    bool | None, build_setting_option("policy.allow_imports", "--allow-imports/--no-imports", show_default="no")
]
AllowUnproved = Annotated[str | None, build_setting_option("policy.allow_unproved")]
Approve = Annotated[bool | None, build_setting_option("policy.approve", "--approve/--no-approve", show_default="no")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the diffs; change nothing.")]
Git = Annotated[bool | None, build_setting_option("policy.git", "--git/--no-git", show_default="no")]
AllowDirty = Annotated[bool, typer.Option("--allow-dirty", help="Work over uncommitted changes.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the unfinished negotiation.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Drop the unfinished negotiation and start over.")]
Estimate = Annotated[bool, typer.Option("--estimate", help="Say what the models would cost; ask nobody.")]


app = typer.Typer(add_completion=False)


@app.command()
def build(
    path: Path = None,
    enable_agents: EnableAgents = False,
    rounds: Rounds = None,
    output_dir: OutputDir = None,
    model: Model = None,
    intent: Intent = None,
    goal: Goal = None,
    verify: Verify = None,
    answers: Answers = None,
    include: shared.Include = None,
    exclude: shared.Exclude = None,
    root: shared.Root = None,
    arbiter: Arbiter = None,
    protect: Protect = None,
    fallback_model: FallbackModel = None,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    max_wall: MaxWall = None,
    base_url: BaseUrl = None,
    answer_timeout: AnswerTimeout = None,
    concurrency: Concurrency = None,
    output_tokens: OutputTokens = None,
    allow_imports: AllowImports = None,
    allow_unproved: AllowUnproved = None,
    approve: Approve = None,
    dry_run: DryRun = False,
    git: Git = None,
    allow_dirty: AllowDirty = False,
    resume: Resume = False,
    fresh: Fresh = False,
    estimate: Estimate = False,
    as_json: shared.AsJson = False,
) -> None:
    """Scan, link and freeze a project; with --enable-agents its agents negotiate first."""
    # Taken before anything else is bound, so that it is the options and nothing more.
    stated_options = dict(locals())
    from graphbus_core.services import build_command
    from graphbus_core.services.build_command import apply_settings, build_config

    resolved_options = apply_settings(stated_options)
    config = build_config(resolved_options)
    if estimate:
        _print_estimate(config, as_json)
        return
    artifacts = _negotiate(config, stated_options) if enable_agents else build_command.build(config)
    finding_texts = build_command.collect_findings(artifacts)
    if as_json:
        import json

        typer.echo(json.dumps({**build_report(artifacts), "findings": finding_texts}, ensure_ascii=False))
    else:
        _print_build(artifacts, finding_texts, resolved_options)
    if finding_texts:
        raise typer.Exit(1)


def _negotiate(config: Any, stated_options: dict[str, Any]) -> Any:
    """What the agents agreed on; a new negotiation where there is none to go on with."""
    from graphbus_core.errors import NothingToResume
    from graphbus_core.services.build_command import apply_settings, build_config

    try:
        # A script says --resume on every start; the first one has nothing to go on with, and that is not a fault.
        return negotiate_build(config, stated_options["as_json"])
    except NothingToResume:
        typer.echo("There is no unfinished negotiation to resume: this is a new one.", err=True)
        anew = apply_settings({**stated_options, "resume": False})
        return negotiate_build(build_config(anew), stated_options["as_json"])


def _print_build(artifacts: Any, finding_texts: Any, resolved_options: dict[str, Any]) -> None:
    """For people: what was built, what would change, what is wrong."""
    typer.echo(escape_text(render_build(artifacts, resolved_options["path"])))
    # Said once, after the build: who committed without tests should know that behaviour was not looked at.
    if artifacts.negotiations and not resolved_options["verify"]:
        typer.echo("No command checked behaviour. `--verify auto` runs your tests before each commit.")
    if artifacts.dry_run:
        typer.echo(_render_dry_run(artifacts.negotiation))
    if finding_texts:
        typer.echo(render_findings(finding_texts))


def _render_dry_run(outcome: Any) -> str:
    """The diffs of a dry run, in the order in which they would land."""
    diffs = [p.receipt.get("unified_diff", "") for p in outcome.proposals if p.outcome == "committed"]
    if not diffs:
        return "\nNothing would be changed."
    return escape_text("\nDry run: nothing was changed. Without --dry-run this would land:\n\n" + "\n".join(diffs))


def _print_estimate(config: Any, as_json: bool) -> None:
    import json

    from graphbus_core.services.build_command import estimate

    plan, notes = estimate(config)
    typer.echo(json.dumps({**plan.to_dict(), "notes": notes}) if as_json else "\n".join([*notes, plan.summarize()]))
