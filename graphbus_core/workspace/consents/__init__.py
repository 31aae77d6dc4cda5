"""Consent negotiations, as front ends see them: begun, gone on with, looked at, checked.

    runs    those that a server starts: each in a thread of its own, its people asked at the desk
    shown   one as plain data, for a page
    kept    one that lies in this project, as a command names it

What a command does with one is `consent`'s own; its names are here, each imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core.late import late_names

if TYPE_CHECKING:
    from graphbus_core.consent import Request, finished_of, folded, prepare, resume, run, status_of, written
    from graphbus_core.consent.asked_after import asked_after
    from graphbus_core.consent.away import linked, seconds
    from graphbus_core.consent.checking import verify_file
    from graphbus_core.consent.files import Runs, check_writable, read_text, write_document
    from graphbus_core.consent.links import keys_of
    from graphbus_core.consent.running import drawn
    from graphbus_core.consent.sealed_run import ask_everyone, asked_seats
    from graphbus_core.negotiation.consent.scenario.schema import SCENARIO_SCHEMA
    from graphbus_core.negotiation.consent.told.texts import block, lines_of, status_block, tellable, transcript_text
    from graphbus_core.negotiation.consent.told.transcript import last_negotiation, read_transcript

__all__ = [
    "SCENARIO_SCHEMA",
    "Request",
    "Runs",
    "ask_everyone",
    "asked_after",
    "asked_seats",
    "block",
    "check_writable",
    "drawn",
    "finished_of",
    "folded",
    "keys_of",
    "last_negotiation",
    "lines_of",
    "linked",
    "prepare",
    "read_text",
    "read_transcript",
    "resume",
    "run",
    "seconds",
    "status_block",
    "status_of",
    "tellable",
    "transcript_text",
    "verify_file",
    "write_document",
    "written",
]

_HOMES = {
    "graphbus_core.consent": "finished_of folded prepare Request resume run status_of written",
    "graphbus_core.consent.asked_after": "asked_after",
    "graphbus_core.consent.away": "linked seconds",
    "graphbus_core.consent.checking": "verify_file",
    "graphbus_core.consent.files": "check_writable read_text Runs write_document",
    "graphbus_core.consent.links": "keys_of",
    "graphbus_core.consent.running": "drawn",
    "graphbus_core.consent.sealed_run": "ask_everyone asked_seats",
    "graphbus_core.negotiation.consent.scenario.schema": "SCENARIO_SCHEMA",
    "graphbus_core.negotiation.consent.told.texts": "block lines_of status_block tellable transcript_text",
    "graphbus_core.negotiation.consent.told.transcript": "last_negotiation read_transcript",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = late_names(__name__, _HOMES)
