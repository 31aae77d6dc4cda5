"""`graphbus demo`: the whole of GraphBus on a small pipeline, on a fresh copy, with no key and no service."""

from __future__ import annotations

import difflib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.console import Console

app = typer.Typer(add_completion=False)


@app.command()
def demo(
    folder: Annotated[
        Path, typer.Option("--folder", help="Where the copy goes; an earlier demo there is replaced.")
    ] = Path("demo-run"),
    ui: Annotated[
        bool, typer.Option("--ui", help="Serve the copy, before it is negotiated, and open the page on its story.")
    ] = False,
) -> None:
    """Watch three services find out that they do not fit, negotiate, and run."""
    from rich.console import Console

    console = Console(highlight=False, emoji=False, soft_wrap=True)
    _copy_example(folder)
    if ui:
        _serve_copy(folder)
        return
    agents, output = folder / "agents", folder / ".graphbus"
    say = console.print
    say(f"\n[bold]1. A pipeline whose contracts do not fit[/]  [dim](a fresh copy in {folder})[/]")
    say("   FetcherService -> CleanerService -> FormatterService, written by three people.\n")
    if not _show_mismatches(console, agents):
        raise typer.Exit(1)
    say("\n[bold]2. The agents negotiate[/]  [dim](rule negotiators: no model, no key)[/]")
    say("   What no call, no test and no declaration proves they ask; here answers.yaml answers.\n")
    _negotiate(console, agents, output)
    say("\n[bold]3. What changed in the source[/]  [dim](all of it; nothing else was touched)[/]\n")
    _show_diff(console, folder)
    say("\n[bold]4. The proof[/]\n")
    # Shown again by the same check that found it: that is the proof, and a demo that only claims it proves nothing.
    if _show_mismatches(console, agents):
        raise typer.Exit(1)
    say("\n[bold]5. The pipeline on a real feed[/]  [dim](no negotiation code is loaded from here on)[/]\n")
    # A process of its own, so that "no negotiation code is loaded" can be seen and not only read.
    process = subprocess.run([sys.executable, str(folder / "run.py"), "--artifacts", str(output)], check=False)
    if process.returncode:
        raise typer.Exit(1)
    say(f"\n[dim]Try it yourself: cd {folder}; graphbus inspect-negotiation; graphbus why CleanerService.clean[/]")


MARKER = ".graphbus-demo"


def _copy_example(folder: Path) -> None:
    """A fresh copy of the example; only a folder that an earlier demo made is replaced."""
    from graphbus_core.cli.examples import example
    from graphbus_core.errors import UsageError

    if folder.exists():
        # Only a folder with our mark in it is ever removed.
        if not (folder / MARKER).exists():
            raise UsageError(f"{folder} exists and was not made by a demo. Give another one with --folder.")
        shutil.rmtree(folder)
    shutil.copytree(example("news_pipeline"), folder, ignore=shutil.ignore_patterns("__pycache__", ".graphbus"))
    (folder / MARKER).write_text("Made by `graphbus demo`, which may replace this folder.\n")
    # The copy is a project of its own, also inside a clone of ours: there our tests use the very same classes, and
    # every change would be refused because of them.
    (folder / "pyproject.toml").write_text('[project]\nname = "demo"\nversion = "0"\n')


def _show_mismatches(console: Console, agents: Path) -> bool:
    """Print every mismatch with its payload; whether there is one."""
    from rich.markup import escape

    from graphbus_core.services.validation import check_project

    linked = check_project(str(agents)).linked
    say = console.print
    for m in linked.mismatches:
        say(f"   [red]✗[/] [bold]{m.link.producer}[/] → [bold]{m.link.consumer}[/]")
        for reason in m.reasons:
            say(f"       {escape(reason)}")
        say(f"       may send   [yellow]{escape(json.dumps(m.counterexample))}[/]")
    if not linked.mismatches:
        say(f"   [green]✓[/] all {len(linked.links)} links fit: whatever is sent is taken")
    return bool(linked.mismatches)


def _negotiate(console: Console, agents: Path, output: Path) -> None:
    from graphbus_core.cli.build.live_view import LiveView
    from graphbus_core.config import BuildConfig, LLMConfig, SafetyConfig
    from graphbus_core.services.build_command import negotiate

    config = BuildConfig(
        root_package=str(agents),
        output_dir=str(output),
        enable_agents=True,
        llm_config=LLMConfig(model="rules"),
        safety_config=SafetyConfig(max_negotiation_rounds=3),
        answers=str(agents.parent / "answers.yaml"),
    )
    with LiveView(console) as story:
        artifacts = negotiate(config, story)
    # Said where nobody disagreed, or a newcomer waits for the arbiter to speak.
    if not any(p.ruling for p in artifacts.negotiation.proposals):
        console.print("[dim]PipelineArbiter sat at the table too; nobody disagreed, so it did not have to rule.[/]")


def _show_diff(console: Console, folder: Path) -> None:
    from rich.markup import escape

    from graphbus_core.cli.examples import example

    shipped = example("news_pipeline")
    colours = {"+": "green", "-": "red", "@": "cyan"}
    for new in sorted((folder / "agents").glob("*.py")):
        old = shipped / "agents" / new.name
        lines = difflib.unified_diff(
            old.read_text().splitlines(),
            new.read_text().splitlines(),
            f"a/{new.name}",
            f"b/{new.name}",
            n=1,
            lineterm="",
        )
        for line in lines:
            colour = "" if line[:3] in ("+++", "---") else colours.get(line[:1], "")
            text = escape(line)
            console.print(f"   [{colour}]{text}[/]" if colour else f"   {text}")


def _serve_copy(folder: Path) -> None:
    from graphbus_core.http import server

    server.serve(folder / "agents", folder / ".graphbus", say=_open_page)


def _open_page(announcement: str) -> None:
    """Print the address; where somebody sits at a terminal, open the browser there, on the story."""
    import re
    import webbrowser

    match = re.search(r"(http://\S+/)#token=(\S+)", announcement)
    if match is None:
        typer.echo(announcement)
        return
    address = f"{match[1]}#/story&token={match[2]}"
    typer.echo(announcement.replace(match[0], address))
    # A browser opens where somebody sits. In a pipeline nobody does.
    if sys.stdout.isatty():
        webbrowser.open(address)
