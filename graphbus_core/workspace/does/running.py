"""A run as a command makes it: calls and events from outside, dead letters, and a journal played back.

The runtime's own names, for the command line: nothing is added. It loads no negotiation.
"""

from __future__ import annotations

from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.handling.payloads import one_line, plain
from graphbus_core.runtime.kept.dead_letter_file import DeadLetter
from graphbus_core.runtime.kept.journal import payload_checks_of, read_journal
from graphbus_core.runtime.kept.replay import chosen, replay
from graphbus_core.runtime.session import (
    DEAD_LETTERS,
    Call,
    Publication,
    Session,
    View,
    json_object,
    stored_dead_letters,
    torn_tail,
)
from graphbus_core.runtime.transports.chosen import letters_of, transport_of

__all__ = [
    "DEAD_LETTERS",
    "Call",
    "DeadLetter",
    "Publication",
    "RuntimeExecutor",
    "Session",
    "View",
    "chosen",
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
]
