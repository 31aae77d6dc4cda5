"""`graphbus run dead-letters … --bus`: what could not be delivered in any process of the bus."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TextIO

from graphbus_core.errors import UsageError


def on_the_bus(bus: str, verb: str, ids: Sequence[str], as_json: bool, out: TextIO) -> bool:
    """List, retry or purge the dead letters of a bus; whether all went well."""
    from graphbus_core.cli.run.views import clock
    from graphbus_core.workspace.does.command_run import letters_of, one_line

    letters = letters_of(bus)
    listed = letters.listed()
    known = {one.id for one in listed}
    if unknown := [i for i in ids if i not in known]:
        raise UsageError(f"There is no dead letter {', '.join(unknown)} on this bus; `dead-letters list` shows them.")
    chosen = [one for one in listed if not ids or one.id in ids]
    match verb:
        case "purge":
            gone = letters.purge([one.id for one in chosen])
            print(json.dumps({"purged": gone}) if as_json else f"{gone} dead letters purged.", file=out)
            return True
        case "retry":
            failed = letters.retry(chosen)
            told = {"delivered": len(chosen) - len(failed), "failed": len(failed)}
            for letter, why in failed:
                if not as_json:
                    print(f"{letter.id:<7} {letter.topic}  {letter.subscriber}  {why}", file=out)
            print(
                json.dumps({**told, "why": {letter.id: why for letter, why in failed}})
                if as_json
                else f"{told['delivered']} delivered, {told['failed']} failed.",
                file=out,
            )
            return not failed
        case _:
            for one in chosen:
                said = f"{one.error_type}: {one.error}  (tried {one.count}×, {clock(one.last_at)})"
                line = f"{one.id:<7} {one.topic}  {one.subscriber}  {said}\n        {one_line(one.event['payload'])}"
                print(json.dumps(one.to_dict()) if as_json else line, file=out)
            if not chosen and not as_json:
                print("No dead letters.", file=out)
            return True
