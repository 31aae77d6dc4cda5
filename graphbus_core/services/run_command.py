"""A run as a command makes it: calls and events from outside, dead letters, and a journal played back.

The runtime's own names, for the command line, and what the project says of its runs. It loads no negotiation.
"""

from __future__ import annotations

import sys
from pathlib import Path

from graphbus_core.runtime.command_run import (
    DEAD_LETTERS_FILE,
    CallCommand,
    CommandRun,
    PublishCommand,
    RunView,
    describe_torn_tail,
    load_dead_letters,
    parse_json_object,
)
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.injection.providers import Providers
from graphbus_core.runtime.payloads import convert_to_json, dump_one_line
from graphbus_core.runtime.persistence.comparison import compare, play, read_letters, read_states
from graphbus_core.runtime.persistence.dead_letters import DeadLetter
from graphbus_core.runtime.persistence.journal import read_journal, read_payload_checks
from graphbus_core.runtime.persistence.replay import replay, select_records
from graphbus_core.runtime.telemetry.call_trace import TracedCall
from graphbus_core.runtime.transports.port import create_bus_consumers, create_dead_letters, create_transport
from graphbus_core.settings import load_settings

__all__ = [
    "DEAD_LETTERS_FILE",
    "CallCommand",
    "CommandRun",
    "DeadLetter",
    "Providers",
    "PublishCommand",
    "RunView",
    "RuntimeExecutor",
    "TracedCall",
    "compare",
    "convert_to_json",
    "create_bus_consumers",
    "create_dead_letters",
    "create_transport",
    "describe_torn_tail",
    "dump_one_line",
    "explain_unfit_call",
    "load_dead_letters",
    "parse_json_object",
    "play",
    "read_journal",
    "read_letters",
    "read_payload_checks",
    "read_run_settings",
    "read_states",
    "replay",
    "select_records",
]


def explain_unfit_call(session: CommandRun, command: CallCommand | PublishCommand) -> str | None:
    """Why a call's arguments do not fit the contract, where the run itself checks none; None where they do."""
    executor = session.executor
    if not isinstance(command, CallCommand) or executor.config.payload_checks != "off":
        return None
    agent = next((a for a in executor.agent_defs or () if a.name == command.node), None)
    method = agent.method(command.method) if agent is not None else None
    schema = method.arguments_schema if method is not None else None
    if schema is None:
        return None
    from graphbus_core.contracts import validator  # heavy, and a run without a call has no use for it

    wrong = validator(dict(schema), side="input").check(command.arguments)
    if wrong is None:
        return None
    return f"{command.name} input: {wrong}. The call is made all the same; --payload-checks enforce refuses it."


def read_run_settings(artifacts: str | Path) -> tuple[tuple[str, ...], Path | None]:
    """What `[tool.graphbus]` of the project around a build says of its runs: providers, and the file of the rules."""
    settings = load_settings(Path(artifacts).resolve().parent)
    root = str(settings.root)
    # Last resort of an import by name: without it `--provide` would work in the project's folder alone.
    if settings["provide"] and root not in sys.path:
        sys.path.insert(0, root)  # factories stand in the project, wherever the command is given
    return tuple(settings["provide"]), settings.file
