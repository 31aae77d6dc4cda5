"""Consent negotiations, as front ends see them: begun, gone on with, looked at, checked.

    runs    those that a server starts: each in a thread of its own, its people asked at the desk
    shown   one as plain data, for a page
    kept    one that lies in this project, as a command names it

What a command does with one is `consent`'s own; its names are here, each imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core.lazy_imports import make_lazy_getattr

if TYPE_CHECKING:
    from graphbus_core.negotiation.consent.narrative import explain_outcome
    from graphbus_core.negotiation.consent.scenario.yaml_format import SCENARIO_SCHEMA
    from graphbus_core.negotiation.consent.transcript import (
        extract_last_negotiation,
        filter_tellable,
        list_term_lines,
        read_transcript,
        render_block,
        render_status_block,
        render_transcript,
    )
    from graphbus_core.sessions.consent import (
        Request,
        load_finished_negotiation,
        prepare,
        render_output_document,
        render_status,
        replay_run,
        resume,
        run,
    )
    from graphbus_core.sessions.consent.elicitation import ask_everyone, assign_question_seats
    from graphbus_core.sessions.consent.files import Runs, check_writable, read_text, write_document
    from graphbus_core.sessions.consent.runner import draw_outcome
    from graphbus_core.sessions.consent.seat_links import load_or_create_keys, parse_duration, seat_people_behind_links
    from graphbus_core.sessions.consent.verification import verify_file

__all__ = [
    "SCENARIO_SCHEMA",
    "Request",
    "Runs",
    "ask_everyone",
    "assign_question_seats",
    "check_writable",
    "draw_outcome",
    "explain_outcome",
    "extract_last_negotiation",
    "filter_tellable",
    "list_term_lines",
    "load_finished_negotiation",
    "load_or_create_keys",
    "parse_duration",
    "prepare",
    "read_text",
    "read_transcript",
    "render_block",
    "render_output_document",
    "render_status",
    "render_status_block",
    "render_transcript",
    "replay_run",
    "resume",
    "run",
    "seat_people_behind_links",
    "verify_file",
    "write_document",
]

_HOMES = {
    "graphbus_core.sessions.consent": (
        "load_finished_negotiation replay_run prepare Request resume run render_status render_output_document"
    ),
    "graphbus_core.negotiation.consent.narrative": "explain_outcome",
    "graphbus_core.sessions.consent.seat_links": "seat_people_behind_links parse_duration load_or_create_keys",
    "graphbus_core.sessions.consent.verification": "verify_file",
    "graphbus_core.sessions.consent.files": "check_writable read_text Runs write_document",
    "graphbus_core.sessions.consent.runner": "draw_outcome",
    "graphbus_core.sessions.consent.elicitation": "ask_everyone assign_question_seats",
    "graphbus_core.negotiation.consent.scenario.yaml_format": "SCENARIO_SCHEMA",
    "graphbus_core.negotiation.consent.transcript": (
        "render_block list_term_lines render_status_block filter_tellable render_transcript "
        "extract_last_negotiation read_transcript"
    ),
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = make_lazy_getattr(__name__, _HOMES)
