"""The project as it stood at a fact of a build, drawn from its log alone: the same account as of the project today.

A log has the whole project as it was when the build began, and with each commit the agents, links and mismatches after
it. Today's sources are not read: they may be another build's.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from graphbus_core.analysis.links import GraphBuilder
from graphbus_core.negotiation.core import Entry
from graphbus_core.negotiation.proposal.negotiation_log import NegotiationLog
from graphbus_core.services.errors import NotFound
from graphbus_core.services.json_values import dump_json
from graphbus_core.services.queries.negotiations import NegotiationShelf
from graphbus_core.services.queries.project import build_picture

MAX_KEPT = 32  # pictures; a replay goes back and forth between those of one build
CHANGING = ("negotiation_opened", "proposal_committed")  # facts after which the project is another one


class PastPictures:
    """Pictures of the negotiations on a shelf, each drawn once for the facts between two commits."""

    def __init__(self, shelf: NegotiationShelf) -> None:
        self.shelf = shelf
        self._lock = threading.Lock()
        self._drawn: dict[tuple[str, int], str] = {}

    def render_picture(self, negotiation_id: str, fact_number: int | None = None) -> str:
        """As JSON, the project after fact number `at`, or as the log leaves it; before the first fact it was what the
        build began with. Raises NotFound where there is no such negotiation, or one without a project."""
        entries = self.shelf.read_proposal_entries(negotiation_id)
        shown = entries if fact_number is None else entries[: max(1, fact_number)]
        since = _find_last_change(shown)
        if not since:
            raise NotFound(f"The log of {negotiation_id} does not say what the project was.")
        with self._lock:
            drawn = self._drawn.get((negotiation_id, since))
        if drawn is None:
            drawn = _render_picture(entries[:since])
            with self._lock:
                # The oldest goes: whoever replays one build does not come back to another one's facts.
                if len(self._drawn) >= MAX_KEPT:
                    self._drawn.pop(next(iter(self._drawn)))
                self._drawn[negotiation_id, since] = drawn
        return drawn


def _find_last_change(entries: Sequence[Entry]) -> int:
    """How many facts there are up to the last that made the project what it is; 0 where none says."""
    return next((n for n in range(len(entries), 0, -1) if entries[n - 1].event.kind in CHANGING), 0)


def _render_picture(entries: Sequence[Entry]) -> str:
    state = NegotiationLog(entries).state
    assert state is not None  # its first fact is among the entries
    agents, links = tuple(state.ground.agents.values()), state.ground.links
    order = GraphBuilder(agents, links).build().get_agent_activation_order()
    return dump_json(build_picture(agents, links, state.ground.mismatches, order))
