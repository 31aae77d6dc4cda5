"""All seats of one MCP client: sit down, be asked by whichever table asks first, answer the table that asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.files import seat as seats
from graphbus_core.mcp.tables import (
    FOR_PEOPLE,
    HUMAN,
    DeskTable,
    DocumentTable,
    InterfaceTable,
    RulingTable,
    SeatQuestion,
    TablePort,
    Taken,
)
from graphbus_core.workspace.does import DESK, LastingDesk
from graphbus_core.workspace.tables import InterfaceDirectory, Json, NegotiationDirectory, SourceDocument, join


class ClientSeats:
    """All tables of one client. `join` sits down at another."""

    def __init__(self, output: Path) -> None:
        self.desk = output / DESK  # where the project's questions lie
        self.tables: dict[str, TablePort] = {}

    def join(self, where: str, seat: str, topic: str, source: str, agents: int) -> dict[str, Any]:
        """Sit down: at a negotiation's directory, or (`where` "build" or "consent") at the project's desk."""
        if where.startswith("agree:"):
            return self._interface(where.removeprefix("agree:"), seat)
        if where in ("build", "consent", ""):
            if not seat:
                raise UsageError("Say which seat: the agent or the advocate that you speak for.")
            # By seat: one client may speak for several agents at one desk.
            self.tables[f"desk {seat}"] = DeskTable(self.desk, seat)
            return {"seat": seat, "at": str(self.desk)}
        # A name apart: whoever takes the person's seat gets rulings, and answers them only through elicitation.
        if seat == HUMAN:
            rules = RulingTable(Path(where).expanduser())
            self.tables[f"rulings {rules.where.root}"] = rules
            return {"seat": HUMAN, "at": str(rules.where.root), "notes": [FOR_PEOPLE]}
        return self._document(NegotiationDirectory(Path(where).expanduser()), seat, topic, source, agents)

    def _document(self, where: NegotiationDirectory, seat: str, topic: str, source: str, agents: int) -> dict[str, Any]:
        file = seats.usual_place(where.root, seat) if seat else None
        mine = seats.read(file) if file is not None and file.exists() else None
        if mine is not None and where.exists and where.look().tokens.get(mine.name) == seats.digest(mine.token):
            # After a restart: the seat is ours. A file alone is not: a kill may have come before the seat was taken.
            self.tables[f"document {mine.root}"] = DocumentTable(Path(mine.root), mine.name, mine.token)
            note = "This seat was taken before on this machine. If that was not you, join under another name."
            return {"seat": mine.name, "at": mine.root, "resumed": True, "notes": [note]}
        if not where.exists and not topic.strip():
            # A misspelled directory would otherwise become a negotiation about nothing, and wait for the others there.
            raise UsageError(
                f"There is no negotiation in {str(where.root)[:200]}. Check it, or open one with `topic` and `source`."
            )
        token = seats.new_token()
        plans = [SourceDocument(Path("plan.md"), seat or "plan", source)] if source.strip() else []

        def keep(name: str) -> None:
            # In the usual place, so that a client that is started again finds its seat without being told where.
            seats.keep(seats.usual_place(where.root, name), seats.Seat(str(where.root), name, token))

        given = {"expected_agents": agents} if agents else {}
        told = join(where, given, topic, plans, seat, "", False, token, keep)
        if not told.ok:
            # Every reason: a model that joins wrongly pays for each try.
            raise UsageError("\n".join(map(str, told.reasons)))
        name = str(told.data["name"])
        self.tables[f"document {where.root}"] = DocumentTable(where.root, name, token)
        return {"seat": name, "at": str(where.root), "notes": list(told.data["notes"])}

    def _interface(self, where: str, side: str) -> dict[str, Any]:
        """Sit down at an interface that was opened (`graphbus agree NAME --producer A --consumer B --at DIR`)."""
        name, _, at = where.partition("@")
        directory = InterfaceDirectory(Path(at or "contracts").expanduser(), name)
        told = directory.look()
        if not told.ok:
            raise UsageError(told.refused)
        file = seats.usual_place(directory.at, f"{name}-{side}")
        token = seats.read(file).token if file.exists() else seats.new_token()
        # Taken first and kept then: an interface has two sides, and a file of a side that another one took would lie.
        if not file.exists():
            taken = directory.take(side, token)
            if not taken.ok:
                raise UsageError(taken.refused)
            seats.keep(file, seats.Seat(str(directory.at), side, token))
        self.tables[f"interface {name}"] = InterfaceTable(directory, side, token)
        return {"seat": side, "at": str(directory.at), "parties": told.data["parties"]}

    def asked(self) -> SeatQuestion | None:
        """The first thing that any table asks; how they ended, once all are over."""
        over = []
        for table in self.tables.values():
            try:
                found = table.asked()
            except (GraphBusError, OSError) as e:
                # A damaged table is told as its end, and the others go on.
                found = SeatQuestion(over=str(e))
            if found is not None and not found.over:
                return found
            if found is not None:
                over.append(found.over)
        # Over only when all are: one table that ended must not send its client home.
        return SeatQuestion(over="; ".join(over)) if over and len(over) == len(self.tables) else None

    def asked_of_others(self) -> list[str]:
        """Whom open questions at the project's desk are for, if this client sits there: without those it speaks for."""
        mine = {table.name for table in self.tables.values() if isinstance(table, DeskTable)}
        # Nobody knows before a build which names it will ask, so a misspelled one is seen only here.
        return sorted({laid.to for laid in LastingDesk(self.desk).open()} - mine) if mine else []

    def answer(self, question_id: str, body: Json) -> Taken:
        """Give an answer to the table that asked."""
        # By the id, which every table makes with a prefix of its own.
        said = _no_question(question_id, bool(self.tables))
        for table in self.tables.values():
            if table.asks(question_id):
                said = table.answer(question_id, body)
                if said.taken:
                    return said
        return said

    def for_a_person(self) -> SeatQuestion | None:
        """What waits for the person at this client."""
        asked = [q for t in self.tables.values() if isinstance(t, RulingTable | DeskTable) and (q := t.asked())]
        return next((q for q in asked if q.person), None)

    def said_by_a_person(self, question_id: str, words: str, reason: str) -> Taken:
        """The person's answer, given to the table that asked."""
        for table in self.tables.values():
            if isinstance(table, RulingTable | DeskTable) and table.asks(question_id):
                return table.said_by_a_person(question_id, words, reason)
        return _no_question(question_id, bool(self.tables))

    def documents(self) -> list[DocumentTable]:
        """The documents among them."""
        return [table for table in self.tables.values() if isinstance(table, DocumentTable)]


def _no_question(question_id: str, seated: bool) -> Taken:
    todo = "call what_am_i_asked for what is asked now" if seated else "call join first"
    return Taken(False, f"There is no open question {question_id[:200]}: {todo}.")
