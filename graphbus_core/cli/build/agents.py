"""A build that negotiates, at the terminal: what to do with one that was left unfinished, and how to go on."""

from __future__ import annotations

import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import typer

from graphbus_core.errors import UsageError

if TYPE_CHECKING:
    from graphbus_core.config import BuildConfig


def negotiated(config: BuildConfig, as_json: bool) -> Any:
    """Run the build; the story goes to stderr. Ctrl-C ends it with 130 and the command that goes on with it."""
    from rich.console import Console  # only here: a plain build tells no story

    from graphbus_core.cli.story import Story
    from graphbus_core.workspace.does import building

    # Before anything is asked: Ctrl-C inside an import leaves half a module in memory.
    building.load()
    if not config.resume and not config.fresh:
        config = _offered(config, as_json)
    with Story(Console(stderr=True, emoji=False)) as story:
        try:
            approver = _person_on_stderr() if config.enable_human_in_loop else None
            return building.negotiate(config, _notices if as_json else story, approver, _people(config))
        except KeyboardInterrupt:
            # People press Ctrl-C twice. The second must not cut off the one sentence that says how to go on.
            with _deaf():  # pressed again, it must not cut off what it takes to say how to go on
                said = _how_to_go_on(config)
            raise KeyboardInterrupt(said) from None


@contextmanager
def _deaf() -> Iterator[None]:
    # Signals belong to the main thread; elsewhere (a test, a server) nothing is pressed.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _notices(kind: str, data: Any) -> None:
    """For programs: stdout is theirs, and what a person should know is said beside it."""
    if kind == "notice" and data.get("warning"):
        typer.echo(data["text"], err=True)


def _person_on_stderr() -> Any:
    """Who approves at the terminal: shown the change where the story is told, so that stdout keeps the result alone."""
    from graphbus_core.workspace.does import TerminalParticipant, read_line

    return TerminalParticipant(
        lambda prompt: read_line(prompt, to_stderr=True), lambda text: typer.echo(text, err=True)
    )


def _people(config: BuildConfig) -> dict[str, Any]:
    """Whom people spoke for in the build that is resumed: asked at this terminal, where there is one."""
    from graphbus_core.workspace.does.building import unfinished

    left = unfinished(config.output_dir) if config.resume else None
    if left is None or not left.people or not (sys.stdin.isatty() and sys.stderr.isatty()):
        # Without a terminal nobody can answer, and the resumed build takes what rules say.
        return {}
    return dict.fromkeys(left.people, _person_on_stderr())


def _offered(config: BuildConfig, as_json: bool) -> BuildConfig:
    """Where a negotiation was left unfinished: ask a person at a terminal. Elsewhere the build says it and starts."""
    # A program must never be asked. It says --resume or --fresh, or gets a new build.
    if as_json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return config
    from graphbus_core.workspace.does.building import unfinished_now

    left = unfinished_now(config.output_dir)
    if left is None or left.ended:
        return config
    # "Stop" is the default: a person who presses Enter without reading loses nothing.
    said = typer.prompt(f"{left.offer} Which? [r]esume, [f]resh, or [s]top", default="s", err=True)
    chosen = str(said).strip().lower()
    if chosen in ("r", "resume", "--resume"):
        return replace(config, resume=True)
    if chosen in ("f", "fresh", "--fresh"):
        return replace(config, fresh=True)
    raise UsageError(
        f"Nothing was done. Go on with `{_command(config, '--resume')}`, or start over by saying --fresh beside your "
        "other options."
    )


def _how_to_go_on(config: BuildConfig) -> str:
    """What to type next: it works as it stands, because the options are kept with the negotiation."""
    from graphbus_core.workspace.does.building import unfinished

    if unfinished(config.output_dir) is None:
        return "Interrupted, before anything was asked. Run the same command again."
    return (
        "Interrupted. What was answered and committed is kept; go on with\n"
        f"  {_command(config, '--resume')}\n"
        "or start over with the same options and --fresh."
    )


def _command(config: BuildConfig, *more: str) -> str:
    place = [] if config.output_dir == ".graphbus" else ["--output-dir", config.output_dir]
    address = ["--base-url", config.llm_config.base_url] if config.llm_config and config.llm_config.base_url else []
    return shlex.join(["graphbus", "build", config.root_package, "--enable-agents", *place, *address, *more])
