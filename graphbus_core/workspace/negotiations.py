"""Negotiations of all three kinds as front ends show them, read back from their logs; also as they stood earlier."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphbus_core.errors import UsageError
from graphbus_core.model.operation import SIDES
from graphbus_core.negotiation.core import Entry
from graphbus_core.negotiation.proposal.events import EVENTS
from graphbus_core.negotiation.proposal.projection import NegotiationLog
from graphbus_core.stores.negotiations import Kept, Negotiations
from graphbus_core.stores.reading import LogReader
from graphbus_core.workspace.errors import NotFound, nearest


class NegotiationShelf:
    """The negotiations below one `.graphbus` folder."""

    def __init__(self, output_dir: Path) -> None:
        self.kept = Negotiations(output_dir)

    def all(self) -> list[dict[str, Any]]:
        """Every negotiation in short, newest first."""
        return [_short(self.kept.look(build_id)) for build_id in reversed(self.kept.builds())]

    def get(self, negotiation_id: str, at: int | None = None) -> dict[str, Any]:
        """One, as it stands or as it stood after fact number `at`. Raises NotFound."""
        found = self._look(negotiation_id)
        entries = self._entries(found)
        shown = entries if at is None else entries[:at]
        log = NegotiationLog(shown, negotiation_id).to_dict()
        return {**_short(found), "events": len(entries), "at": len(shown), "log": log}

    def log(self, negotiation_id: str, after: int, limit: int) -> dict[str, Any]:
        """Its facts after number `after`, oldest first. Raises NotFound."""
        entries = self._entries(self._look(negotiation_id))
        facts = [
            {"seq": e.seq, "kind": e.event.kind, "at": e.at, "data": e.event.to_dict()}
            for e in entries[after : after + limit]
        ]
        return {"facts": facts, "last": len(entries)}

    def why(self, symbol: str) -> list[dict[str, Any]]:
        """Every proposal of every build that touches `Node`, `Node.method` or `Node.method.field`, newest first."""
        parts = symbol.split(".")
        node, method, fields = parts[0], parts[1] if len(parts) > 1 else None, parts[2:]
        if fields and fields[0] in SIDES:
            fields = fields[1:]
        found = []
        for build_id in reversed(self.kept.builds()):
            log = self.get(build_id)["log"]
            for proposal in (p for r in reversed(log["rounds"]) for p in reversed(r["proposals"])):
                if any(_touches(op, node, method, fields) for op in proposal["diff"]):
                    found.append({"build_id": build_id, "proposal_id": proposal["id"], **proposal})
        return found

    def _entries(self, found: Kept) -> list[Entry]:
        return list(LogReader(found.path, EVENTS))

    def _look(self, negotiation_id: str) -> Kept:
        known = self.kept.builds()
        if negotiation_id not in known:
            raise NotFound(f"There is no negotiation {negotiation_id!r}.{nearest(negotiation_id, known)}")
        try:
            return self.kept.look(negotiation_id)
        except UsageError as e:
            raise NotFound(str(e)) from e


def _touches(op: Mapping[str, Any], node: str, method: str | None, fields: list[str]) -> bool:
    if op["node"] != node or (method is not None and method not in (op.get("method"), op.get("topic"))):
        return False
    return not fields or str(op.get("field", "")).replace("[]", "").split(".")[: len(fields)] == fields


def _short(found: Kept) -> dict[str, Any]:
    return {
        "id": found.build_id,
        "kind": str((found.inspection.header or {}).get("protocol", "proposal")),
        "state": "ended" if found.ended else "unfinished",
        "events": found.facts,
        "started_at": found.at,
    }
