"""`graphbus replay`: read a journal, or play it back into a fresh runtime."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from graphbus_core.cli import options
from graphbus_core.cli.run.views import allow_any_text, log_to_stderr
from graphbus_core.text import escape_line

app = typer.Typer(add_completion=False)
MAX_TOLD = 20  # of the deliveries that failed


@app.command()
def replay(
    journal: Annotated[str, typer.Argument(help="A file that `graphbus run --journal` wrote.")],
    topic: Annotated[list[str] | None, typer.Option(help="Only events of this topic, or pattern.")] = None,
    to: Annotated[str | None, typer.Option(help="Play it into this build.")] = None,
    state: Annotated[str | None, typer.Option(help="With --to: save the nodes' state here at the end.")] = None,
    payload_checks: Annotated[
        str | None, typer.Option(help="With --to: off, warn or enforce; by default what the run had that began it.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Show what happened, oldest first; with --to, do again what came from outside, and let the rest follow from it."""
    from graphbus_core.config import RuntimeConfig
    from graphbus_core.services.run_command import (
        RuntimeExecutor,
        read_journal,
        read_payload_checks,
        replay as play,
        select_records,
    )

    allow_any_text(sys.stdout)
    records = read_journal(journal)
    if to is None:
        _print_records(select_records(records, topic or ()), as_json)
        return
    log_to_stderr(verbose=False)
    checks = payload_checks or read_payload_checks(journal)
    with RuntimeExecutor(RuntimeConfig(artifacts_dir=to, payload_checks=checks)) as executor:
        result = play(records, executor, topic or ())
        if state:
            executor.save_state(state)
        stats = executor.get_stats()["message_bus"]
        letters = list(executor.bus.dead_letters) if executor.bus else []
    if as_json:
        print(json.dumps({**vars(result), "stats": stats}))
    else:
        print(
            f"{result.events} events and {result.calls} calls played, {result.consequences} followed from them, "
            f"{result.skipped + result.refused} passed over; {stats['errors']} deliveries failed."
        )
    for letter in letters[:MAX_TOLD]:
        what = f"{letter.subscriber} failed on {letter.topic}: {letter.error_type}: {letter.error}"
        print(f"graphbus: {what}", file=sys.stderr)
    for failure in executor.stop_failures:
        print(f"graphbus: {failure}", file=sys.stderr)
    if executor.stop_failures or stats["errors"] or result.failed_calls:
        raise typer.Exit(1)


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
