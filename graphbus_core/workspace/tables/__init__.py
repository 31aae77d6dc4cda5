"""Document negotiations over directories, as front ends see them: opened, sat at, followed, run.

    documents    those that a server starts and sits at, whole turns, what waits for them
    directories  each directory that is shown, under a name of its own
    seating      models or a script at a table, beside whoever else takes part
    told         one as plain data

What a command does with one directory is the directory's own (`document`); its names are here, imported when used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core.late import late_names

if TYPE_CHECKING:
    from graphbus_core.agree import InterfaceDirectory
    from graphbus_core.document import NegotiationDirectory, Told
    from graphbus_core.document.brief import Shown, brought, told as briefed
    from graphbus_core.document.join import SourceDocument, join, read_plans
    from graphbus_core.document.paper.markdown import entry_text, unwritten, utc
    from graphbus_core.document.paper.review import stem_of
    from graphbus_core.document.taking import (
        FORMING_LOOK_S,
        glance,
        say as take_turn,
        told as turn_told,
        wait as waited,
    )
    from graphbus_core.negotiation.core import Ask, Entry, Json, Participant, Reply
    from graphbus_core.negotiation.document.rules import no_such_issue
    from graphbus_core.negotiation.document.said.facts import TurnSkipped
    from graphbus_core.negotiation.document.said.state import Issue, State
    from graphbus_core.negotiation.document.said.vocabulary import Phase, Reason, Settings, Status

__all__ = [
    "FORMING_LOOK_S",
    "Ask",
    "Entry",
    "InterfaceDirectory",
    "Issue",
    "Json",
    "NegotiationDirectory",
    "Participant",
    "Phase",
    "Reason",
    "Reply",
    "Settings",
    "Shown",
    "SourceDocument",
    "State",
    "Status",
    "Told",
    "TurnSkipped",
    "briefed",
    "brought",
    "entry_text",
    "glance",
    "join",
    "no_such_issue",
    "read_plans",
    "stem_of",
    "take_turn",
    "turn_told",
    "unwritten",
    "utc",
    "waited",
]

_HOMES = {
    "graphbus_core.agree": "InterfaceDirectory",
    "graphbus_core.document": "NegotiationDirectory Told",
    "graphbus_core.document.brief": "told:briefed brought Shown",
    "graphbus_core.document.join": "join read_plans SourceDocument",
    "graphbus_core.document.paper.markdown": "entry_text unwritten utc",
    "graphbus_core.document.paper.review": "stem_of",
    "graphbus_core.document.taking": "FORMING_LOOK_S glance say:take_turn told:turn_told wait:waited",
    "graphbus_core.negotiation.core": "Ask Entry Json Participant Reply",
    "graphbus_core.negotiation.document.rules": "no_such_issue",
    "graphbus_core.negotiation.document.said.facts": "TurnSkipped",
    "graphbus_core.negotiation.document.said.state": "Issue State",
    "graphbus_core.negotiation.document.said.vocabulary": "Phase Reason Settings Status",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = late_names(__name__, _HOMES)
