"""A run as a command makes it: calls and events from outside, dead letters, and a journal played back.

The runtime's own names, for the command line, and what the project says of its runs. It loads no negotiation.
"""

from __future__ import annotations

import sys
from pathlib import Path

from graphbus_core.runtime.command_run import (
    DEAD_LETTERS,
    CallCommand,
    CommandRun,
    PublishCommand,
    RunView,
    json_object,
    stored_dead_letters,
    torn_tail,
)
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.handling.payloads import one_line, plain
from graphbus_core.runtime.kept.dead_letter_file import DeadLetter
from graphbus_core.runtime.kept.journal import payload_checks_of, read_journal
from graphbus_core.runtime.kept.replay import chosen, replay
from graphbus_core.runtime.telemetry.call_trace import Traced
from graphbus_core.runtime.transports.chosen import letters_of, transport_of
from graphbus_core.settings import effective

__all__ = [
    "DEAD_LETTERS",
    "CallCommand",
    "CommandRun",
    "DeadLetter",
    "PublishCommand",
    "RunView",
    "RuntimeExecutor",
    "Traced",
    "chosen",
    "given_by_the_project",
    "json_object",
    "letters_of",
    "one_line",
    "payload_checks_of",
    "plain",
    "read_journal",
    "replay",
    "stored_dead_letters",
    "torn_tail",
    "transport_of",
    "unfit",
]


def unfit(session: CommandRun, one: CallCommand | PublishCommand) -> str | None:
    """Why a call's arguments do not fit the contract, where the run itself checks none; None where they do."""
    executor = session.executor
    if not isinstance(one, CallCommand) or executor.config.payload_checks != "off":
        return None
    agent = next((a for a in executor.agent_defs or () if a.name == one.node), None)
    method = agent.method(one.method) if agent is not None else None
    if method is None or method.input_schema is None:
        return None
    from graphbus_core.contracts import validator  # heavy, and a run without a call has no use for it

    wrong = validator(dict(method.input_schema.json_schema), side="input").check(one.arguments)
    if wrong is None:
        return None
    return f"{one.name} input: {wrong}. The call is made all the same; --payload-checks enforce refuses it."


def given_by_the_project(artifacts: str | Path) -> tuple[tuple[str, ...], Path | None]:
    """What `[tool.graphbus]` of the project around a build says of its runs: providers, and the file of the rules."""
    settings = effective(Path(artifacts).resolve().parent)
    root = str(settings.root)
    # Last resort of an import by name: without it `--provide` would work in the project's folder alone.
    if settings["provide"] and root not in sys.path:
        sys.path.insert(0, root)  # factories stand in the project, wherever the command is given
    return tuple(settings["provide"]), settings.file
