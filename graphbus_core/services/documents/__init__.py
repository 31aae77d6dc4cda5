"""Document negotiations over directories, as front ends see them: opened, sat at, followed, run.

    documents    those that a server starts and sits at, whole turns, what waits for them
    directories  each directory that is shown, under a name of its own
    seating      models or a script at a table, beside whoever else takes part
    told         one as plain data

What a command does with one directory is the directory's own (`document`); its names are here, imported when used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core.lazy_imports import make_lazy_getattr

if TYPE_CHECKING:
    from graphbus_core.negotiation.core import Ask, Entry, Json, Participant, Reply
    from graphbus_core.negotiation.document.events import TurnSkipped
    from graphbus_core.negotiation.document.model import Phase, Reason, Settings, Status
    from graphbus_core.negotiation.document.rules import build_no_such_issue
    from graphbus_core.negotiation.document.state import Issue, State
    from graphbus_core.negotiation.document.text.pages import split_pages
    from graphbus_core.sessions.document.directory import NegotiationDirectory, OperationResult
    from graphbus_core.sessions.document.markdown import format_utc, is_unwritten, render_entry
    from graphbus_core.sessions.document.registration import SourceDocument, explain_join, join, read_plans
    from graphbus_core.sessions.document.review import resolve_issue_stem
    from graphbus_core.sessions.document.turn_api import (
        FORMING_LOOK_S,
        ReadingMark,
        deliver_brief as turn_told,
        mark_sources_read,
        render_brief as briefed,
        snapshot_files,
        take_turn as take_turn,
        wait_for_turn as waited,
    )
    from graphbus_core.sessions.interface import InterfaceDirectory

__all__ = [
    "FORMING_LOOK_S",
    "Ask",
    "Entry",
    "InterfaceDirectory",
    "Issue",
    "Json",
    "NegotiationDirectory",
    "OperationResult",
    "Participant",
    "Phase",
    "ReadingMark",
    "Reason",
    "Reply",
    "Settings",
    "SourceDocument",
    "State",
    "Status",
    "TurnSkipped",
    "briefed",
    "build_no_such_issue",
    "explain_join",
    "format_utc",
    "is_unwritten",
    "join",
    "mark_sources_read",
    "read_plans",
    "render_entry",
    "resolve_issue_stem",
    "snapshot_files",
    "split_pages",
    "take_turn",
    "turn_told",
    "waited",
]

_HOMES = {
    "graphbus_core.sessions.interface": "InterfaceDirectory",
    "graphbus_core.sessions.document.directory": "NegotiationDirectory OperationResult",
    "graphbus_core.sessions.document.turn_api": (
        "render_brief:briefed mark_sources_read ReadingMark FORMING_LOOK_S snapshot_files take_turn:take_turn "
        "deliver_brief:turn_told wait_for_turn:waited"
    ),
    "graphbus_core.sessions.document.registration": "explain_join join read_plans SourceDocument",
    "graphbus_core.sessions.document.markdown": "render_entry is_unwritten format_utc",
    "graphbus_core.sessions.document.review": "resolve_issue_stem",
    "graphbus_core.negotiation.core": "Ask Entry Json Participant Reply",
    "graphbus_core.negotiation.document.rules": "build_no_such_issue",
    "graphbus_core.negotiation.document.events": "TurnSkipped",
    "graphbus_core.negotiation.document.state": "Issue State",
    "graphbus_core.negotiation.document.text.pages": "split_pages",
    "graphbus_core.negotiation.document.model": "Phase Reason Settings Status",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = make_lazy_getattr(__name__, _HOMES)
