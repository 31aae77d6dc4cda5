"""Notices what others do to the same negotiations: a build on the command line, agents at a document, rulings.

Logs are looked at once in a while, and read on where they have grown; what this process does itself is told elsewhere.
Only what comes after the workspace was opened is told: what was before is on the shelf.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Mapping
from typing import Any

from graphbus_core.errors import GraphBusError
from graphbus_core.logs.jsonl import LogReader
from graphbus_core.negotiation.consent.shut_votes import build_shown_fact
from graphbus_core.negotiation.proposal.events import ProposalCommitted, ProposalTabled
from graphbus_core.services.queries.negotiations import NegotiationShelf, ShelfEntry
from graphbus_core.services.questions.inbox import Inbox

Observer = Callable[[str, Mapping[str, Any]], object]
# A person does not notice a second, and looking costs one `stat` a log.
INTERVAL_S = 1.0


def map_fact_kind(kind: str) -> str:
    """Under which kind of message observers hear of a fact; those that people wait for have one of their own."""
    # Builds of this process and of others are told by two roads; asked here, both say the same.
    return {ProposalTabled.kind: "proposal", ProposalCommitted.kind: "commit"}.get(kind, "negotiation")


class ActivityWatcher:
    """Tells `observe` of facts and questions that others made. `is_own` says whether a negotiation is ours now."""

    def __init__(
        self, shelf: NegotiationShelf, questions: Inbox, is_own: Callable[[str], bool], observe: Observer
    ) -> None:
        self.shelf, self.questions, self.is_own, self.observe = shelf, questions, is_own, observe
        self._sizes: dict[str, int] = {}
        self._before: dict[str, int] = {}  # how long each log was when the workspace was opened
        self._readers: dict[str, LogReader] = {}
        self._asked: dict[str, tuple[str, str]] = {}
        self._over = threading.Event()
        self._first = True

    def start(self) -> None:
        """Look from now on, in a thread that ends with `stop` or the process."""
        threading.Thread(target=self._run, name="graphbus-watch", daemon=True).start()

    def stop(self) -> None:
        """Look no more."""
        self._over.set()

    def look(self) -> None:
        """Tell what is new since the last look; the first one only notes what there is."""
        first, self._first = self._first, False
        grown = [entry for entry in self.shelf.list_entries() if self._has_grown(entry)]
        # The lengths of the first look mark what was there before: it is on the shelf, and no news.
        if first:
            self._before = dict(self._sizes)
        for entry in () if first else grown:
            self._read_log(entry)
        # Without growth nothing was said, and directories are folded only for that.
        if grown or first:
            self._report_questions(silently=first)

    def _has_grown(self, entry: ShelfEntry) -> bool:
        try:
            size = os.stat(entry.log).st_size
        except OSError:
            return False
        # Another size in either direction: a log that was repaired is shorter.
        grown = self._sizes.get(entry.id) != size
        self._sizes[entry.id] = size
        return grown

    def _read_log(self, shelf_entry: ShelfEntry) -> None:
        reader = self._readers.setdefault(shelf_entry.id, LogReader(shelf_entry.log, shelf_entry.events))
        own, before = self.is_own(shelf_entry.id), self._before.get(shelf_entry.id, 0)
        try:
            # Read on even where it is our own: the reader has to stand at the end when somebody else writes next.
            for entry in reader:
                if not own and reader.offset > before:
                    # A vote is told as it falls, when others have still to vote: who has answered, and not what.
                    kind, fact = build_shown_fact(entry.event, is_open=True)
                    self.observe(map_fact_kind(kind), {"build_id": shelf_entry.id, "kind": kind, "fact": fact})
        except (GraphBusError, OSError):
            return  # damaged, which the shelf says

    def _report_questions(self, silently: bool) -> None:
        now = {q["id"]: (q["to"], q["kind"]) for q in self.questions.list_outside()}
        if not silently:
            for name in now.keys() - self._asked.keys():
                to, kind = now[name]
                self.observe("question", {"id": name, "to": to, "kind": kind})
            for name in self._asked.keys() - now.keys():
                self.observe("answered", {"id": name})
        self._asked = now

    def _run(self) -> None:
        while True:
            # A directory that is being removed, a log half written: the next look will tell.
            with contextlib.suppress(GraphBusError, OSError):  # looked at again in a moment
                self.look()
            if self._over.wait(INTERVAL_S):
                return
