"""`graphbus run dead-letters …`: what runs of this build could not deliver: list it, retry it, purge it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TextIO

from graphbus_core.cli.run.views import clock
from graphbus_core.errors import UsageError

if TYPE_CHECKING:
    from graphbus_core.workspace.does.command_run import CommandRun, DeadLetter, RunView


def in_the_file(
    artifacts: str,
    verb: str,
    ids: Sequence[str],
    as_json: bool,
    out: TextIO,
    run: Callable[[], CommandRun],
    view: RunView,
) -> bool:
    """Do it, and say whether all went well. `run` makes the run in which letters are retried."""
    from graphbus_core.workspace.does.command_run import stored_dead_letters, torn_tail

    letters = stored_dead_letters(artifacts)
    if letters.torn and verb != "retry":  # a session says it itself
        print(f"graphbus: {torn_tail(letters)}", file=sys.stderr)
    if unknown := [i for i in ids if letters.get(i) is None]:
        raise UsageError(f"There is no dead letter {', '.join(unknown)}; `dead-letters list` shows them.")
    chosen = [one for one in letters if not ids or one.id in ids]
    match verb:
        case "list":
            _listed(chosen, as_json, out)
            return True
        case "purge":
            gone = letters.remove(*(one.id for one in chosen))
            print(json.dumps({"purged": gone}) if as_json else f"{gone} dead letters purged.", file=out)
            return True
        case _:
            _demand_whole(chosen if ids else [])
            done, failed = _retried(run(), {one.id for one in chosen}, view)
            told = {"delivered": done, "failed": failed}
            print(json.dumps(told) if as_json else f"{done} delivered, {failed} failed.", file=out)
            return failed == 0


def _demand_whole(named: Sequence[DeadLetter]) -> None:
    """Raise UsageError where a letter that was asked for by name holds hidden fields: nobody knows what they held."""
    if hidden := [one.id for one in named if one.redacted]:
        raise UsageError(
            f"{', '.join(hidden)}: fields of that event were hidden before it was kept ('***'), and it cannot be "
            f"delivered again. Publish it again with the real values, then purge the letter."
        )


def _listed(letters: Sequence[DeadLetter], as_json: bool, out: TextIO) -> None:
    from graphbus_core.workspace.does.command_run import one_line

    for one in letters:
        if as_json:
            print(json.dumps(one.to_dict()), file=out)
            continue
        print(
            f"{one.id:<7} {one.topic}  {one.subscriber}  {one.error_type}: {one.error}  "
            f"(tried {one.count}×, {clock(one.last_at)})\n"
            f"        {one_line(one.event['payload'])}",
            file=out,
        )
    if not letters and not as_json:
        print("No dead letters.", file=out)


def _retried(run: CommandRun, wanted: set[str], view: RunView) -> tuple[int, int]:
    """Deliver them again in a run of its own: how many were delivered, how many failed."""
    with run as session:
        bus = session.executor.bus
        again = [one for one in (bus.dead_letters if bus else ()) if one.id in wanted]
        for one in again:
            if one.redacted:
                view.problem(f"{one.id} was not retried: it holds '***' where fields were hidden; publish it again")
        return session.executor.retry_dead_letters(again)
