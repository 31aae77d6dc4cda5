"""`graphbus replay`: read a journal, or play it back into a fresh runtime."""

from __future__ import annotations

import contextlib
import json
import logging
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any

import typer

from graphbus_core.cli import options
from graphbus_core.cli.run.views import allow_any_text, log_to_stderr
from graphbus_core.text import escape_line, format_count

app = typer.Typer(add_completion=False)
MAX_TOLD = 20  # of the deliveries that failed


@app.command()
def replay(
    journal: Annotated[str, typer.Argument(help="A file that `graphbus run --journal` wrote.")],
    topic: Annotated[list[str] | None, typer.Option(help="Only events of this topic, or pattern.")] = None,
    to: Annotated[
        str | None, typer.Option(help="Play it into this build. With --against: compare with this one, not the record.")
    ] = None,
    against: Annotated[
        str | None, typer.Option(help="Play it into this build with effects held back, and tell what ends otherwise.")
    ] = None,
    state: Annotated[
        str | None,
        typer.Option(help="With --to: save the nodes' state here. With --against: the state that the run saved then."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(help="With --against: a field that differs in every run, such as a time.")
    ] = None,
    payload_checks: Annotated[
        str | None, typer.Option(help="With --to: off, warn or enforce; by default what the run had that began it.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Show what happened, oldest first; with --to, do again what came from outside, and let the rest follow from it.

    With --against it is told which events end otherwise, which states differ, and which dead letters are new: exit
    code 1 where something does, 0 where nothing does.
    """
    from graphbus_core.services.run_command import read_journal, select_records

    allow_any_text(sys.stdout)
    if against is not None:
        _compare(journal, against, to, state, payload_checks, topic or (), ignore or (), as_json)
    elif to is not None:
        _play(journal, to, state, payload_checks, topic or (), as_json)
    else:
        _print_records(select_records(read_journal(journal), topic or ()), as_json)


def _play(
    journal: str, to: str, state: str | None, payload_checks: str | None, topics: Sequence[str], as_json: bool
) -> None:
    """Play a journal into a build, and tell what came of it; raises Exit(1) where something failed."""
    from graphbus_core.config import RuntimeConfig
    from graphbus_core.services.run_command import (
        Providers,
        RuntimeExecutor,
        read_journal,
        read_payload_checks,
        read_run_settings,
        replay as play,
    )

    records = read_journal(journal)
    log_to_stderr(verbose=False)
    checks = payload_checks or read_payload_checks(journal)
    providers = Providers(texts=read_run_settings(to)[0])
    with RuntimeExecutor(RuntimeConfig(artifacts_dir=to, payload_checks=checks), provide=providers) as executor:
        result = play(records, executor, topics)
        if state:
            executor.save_state(state)
        stats = executor.get_stats()["message_bus"]
        letters = list(executor.bus.dead_letters) if executor.bus else []
    if as_json:
        print(json.dumps({**vars(result), "stats": stats}))
    else:
        print(
            f"{format_count(result.events, 'event')} and {format_count(result.calls, 'call')} played, "
            f"{result.followed} followed from them, "
            f"{result.skipped + result.refused} passed over; {format_count(stats['errors'], 'delivery')} failed."
        )
    for letter in letters[:MAX_TOLD]:
        what = f"{letter.subscriber} failed on {letter.topic}: {letter.error_type}: {letter.error}"
        print(f"graphbus: {what}", file=sys.stderr)
    for failure in executor.stop_failures:
        print(f"graphbus: {failure}", file=sys.stderr)
    if executor.stop_failures or stats["errors"] or result.failed_calls:
        raise typer.Exit(1)


def _compare(
    journal: str,
    against: str,
    to: str | None,
    state: str | None,
    payload_checks: str | None,
    topics: Sequence[str],
    ignore: Sequence[str],
    as_json: bool,
) -> None:
    """Tell what a build makes otherwise of a journal; raises Exit(1) where something is."""
    from graphbus_core.services.run_command import (
        compare,
        play,
        read_letters,
        read_payload_checks,
        read_run_settings,
        read_states,
    )

    log_to_stderr(verbose=False)
    checks = payload_checks or read_payload_checks(journal)
    old_states = read_states(state) if state else None

    def play_into(build: str) -> Any:
        # What nodes print is no part of the answer, and what fails is told at the end, as a letter.
        with contextlib.redirect_stdout(sys.stderr), _silence("graphbus.runtime"):
            return play(
                journal,
                build,
                payload_checks=checks,
                providers=read_run_settings(build)[0],
                topics=topics,
                ignore=ignore,
            )

    before = play_into(to) if to is not None else None
    letters = read_letters(journal, against) if before is None else None
    comparison = compare(journal, play_into(against), before, old_states, letters, ignore)
    if as_json:
        print(json.dumps(comparison.to_dict(), default=str))
    else:
        for line in _render_comparison(comparison, against):
            print(escape_line(line))
    if not comparison.is_same:
        raise typer.Exit(1)


@contextlib.contextmanager
def _silence(name: str) -> Iterator[None]:
    logger = logging.getLogger(name)
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


def _render_comparison(comparison: Any, build: str) -> Iterator[str]:
    from graphbus_core.services.run_command import dump_one_line

    def render(row: tuple[str, Any]) -> str:
        return f"{row[0]} {dump_one_line(row[1], ensure_ascii=False)}"

    for difference in comparison.events:
        yield f"line {difference.line}: {difference.what} ends otherwise"
        yield from (f"  - {render(row)}" for row in difference.before if row not in difference.after)
        yield from (f"  + {render(row)}" for row in difference.after if row not in difference.before)
        if sorted(map(render, difference.before)) == sorted(map(render, difference.after)):
            yield "  the same events, in another order"
    for node, (before, after) in (comparison.states or {}).items():
        yield f"the state of {node} was {dump_one_line(before)}, and is {dump_one_line(after)}"
    for letter in comparison.letters:
        yield f"line {letter.line}: {letter.subscriber} fails on {letter.topic}: {letter.error}"
    for letter in comparison.gone_letters:
        yield f"line {letter.line}: {letter.subscriber} no longer fails on {letter.topic}"
    counts = comparison.outcome.counts
    states = (
        f"{format_count(len(comparison.states), 'state', 'differs', 'differ')}"
        if comparison.states is not None
        else "no states were compared"
    )
    yield (
        f"{format_count(counts.events, 'event')} and {format_count(counts.calls, 'call')} played into "
        f"{build}, effects held back: "
        f"{len(comparison.events)} end otherwise, {states}, {format_count(len(comparison.letters), 'new dead letter')}."
    )
    if comparison.outcome.refused_effects:
        calls = format_count(comparison.outcome.refused_effects, "effect", "was", "were")
        yield f"{calls} refused: not in the record."


def _print_records(records: Iterable[Any], as_json: bool) -> None:
    from graphbus_core.services.run_command import dump_one_line

    depth: dict[str, int] = {}
    for record in records:
        data = record.data
        if as_json:
            print(dump_one_line({record.kind: data, **({"refused": True} if record.refused else {})}))
            continue
        level = depth[record.id] = depth.get(record.cause or "", -1) + 1
        time_text = time.strftime("%H:%M:%S", time.localtime(data["timestamp"]))
        what = data["topic"] if record.kind == "event" else f"call {data['dst']}.{data['method']}"
        payload = dump_one_line(data["payload"], ensure_ascii=False)
        line = f"{time_text} {'  ' * level}{what}  {data['src']}  {payload}{'  (refused)' if record.refused else ''}"
        print(escape_line(line))
