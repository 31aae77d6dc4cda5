"""What waits for a person or a program: questions on the desk, and escalated issues of document negotiations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.negotiation.document.model import Status
from graphbus_core.participants.people.desk import Desk, Lease, QuestionClaimed
from graphbus_core.services.errors import Conflict, NotFound
from graphbus_core.services.queries.negotiations import name_directories
from graphbus_core.services.questions.seats import Seat, SeatLinks, name_table
from graphbus_core.sessions.document.directory import NegotiationDirectory

RULING_SCHEMA = {
    "type": "object",
    "properties": {"decision": {"type": "string", "minLength": 1, "description": "What is to hold on this issue."}},
    "required": ["decision"],
}


class Inbox:
    """Open questions of one workspace, oldest first; those of a directory are `document/NAME/ISSUE`."""

    def __init__(self, desk: Desk, directories: Sequence[Path], seats: SeatLinks) -> None:
        self.desk = desk  # its observer is told of rulings, too
        self.seats = seats
        self.directories = {
            name: NegotiationDirectory(folder) for name, folder in name_directories(directories).items()
        }
        self.turns: Callable[[], Iterable[dict[str, Any]]] = tuple  # of seats that are ours at a document
        self.take_turn: Callable[[str, str, Mapping[str, Any]], object] = lambda name, agent, body: None
        self.overlaps: Callable[[], Iterable[dict[str, Any]]] = tuple  # that seats of the team have to settle
        self.settle: Callable[[str, Mapping[str, Any]], object] = lambda question_id, body: None

    def open(self) -> list[dict[str, Any]]:
        """Each with the JSON Schema of its answer."""
        return [*(q.to_dict() for q in self.desk.list_open()), *self.list_outside()]

    def list_own(self, seat: Seat | None) -> list[dict[str, Any]]:
        """The open questions of one seat, or of the operator. Nobody is shown another's."""
        return self.seats.select_own(seat, self.open())

    def answer(self, question_id: str, body: Mapping[str, Any], seat: Seat | None = None) -> None:
        """Answer one as a seat, or as the operator. Raises NotFound, Forbidden for another's, or UsageError for an
        answer that is not one."""
        self.seats.check_own(seat, name_table(question_id), self._name_asked(question_id))
        parts = question_id.split("/")
        # By its shape, since the id is what a page has: three parts are a ruling, four a turn, and anything else is
        # at the desk.
        if parts[0] == "document" and len(parts) == 3 and parts[1] in self.directories:
            self._rule(parts[1], parts[2], body)
            return
        if parts[0] == "document" and len(parts) == 4 and parts[2] == "turn" and parts[1] in self.directories:
            self.take_turn(parts[1], parts[3], body)
            return
        if parts[0] == "team":
            self.settle(question_id, body)
            return
        self._submit_answer(question_id, body)

    def _submit_answer(self, question_id: str, body: Mapping[str, Any], lease: str = "") -> None:
        try:
            self.desk.answer(question_id, body, lease)
        except KeyError:
            raise NotFound(f"There is no open question {question_id!r}; it may have been answered.") from None
        except QuestionClaimed as e:
            raise Conflict(str(e)) from None

    def _name_asked(self, question_id: str) -> str:
        """Whom an open question asks. Raises NotFound."""
        asked = self.desk.find(question_id)
        if asked is not None:
            return asked.ask.to
        for question in self.list_outside():
            if question["id"] == question_id:
                return str(question["to"])
        # It was open when the page was drawn. That it is answered by now is not a fault of who clicks.
        raise NotFound(f"There is no open question {question_id!r}; it may have been answered.")

    def claim(self, to: str | None, lease_s: float, seat: Seat | None = None) -> dict[str, Any]:
        """The oldest question on the desk that is this caller's and that nobody has claimed, with the lease; neither
        where there is none."""
        claimed = self.desk.claim(to, lease_s, lambda ask: self.seats.find_owner(name_table(ask.id), ask.to) == seat)
        return {} if claimed is None else {"question": claimed[0].to_dict(), **_describe_lease(claimed[1])}

    def renew(self, lease: str) -> dict[str, Any]:
        """The lease, from now on for as long as it was claimed for. Raises NotFound where it ended."""
        # Asked first, so that a lease that has ended is told as such, and not renewed by a late call.
        self._find_lease(lease)
        renewed = self.desk.leases.renew(lease)
        return _describe_lease(renewed) if renewed is not None else {}

    def answer_claimed(self, lease: str, body: Mapping[str, Any]) -> None:
        """Answer the claimed question. Raises NotFound where the lease ended, UsageError for what is not an answer."""
        self._submit_answer(self._find_lease(lease).question, body, lease)

    def release(self, lease: str) -> None:
        """Give it back: another may claim it, and nobody is silent."""
        self.desk.leases.end(self._find_lease(lease).question)

    def _find_lease(self, token: str) -> Lease:
        held_lease = self.desk.leases.find(token)
        # Ended and answered are told alike: either way the holder has to claim again.
        if held_lease is None:
            raise NotFound("There is no such lease: it ended, or its question is answered. Claim again.")
        return held_lease

    def list_outside(self) -> Iterator[dict[str, Any]]:
        """Those that no process of ours asks: rulings and turns in directories, overlaps in a team."""
        yield from self.list_escalated()
        yield from self.turns()
        yield from self.overlaps()

    def list_escalated(self) -> Iterator[dict[str, Any]]:
        """Rulings that are waited for."""
        for name, directory in list(self.directories.items()):
            try:
                issues = directory.read_state().issues if directory.exists else {}
            except (GraphBusError, OSError):
                # One directory that cannot be read must not hide the questions of all others.
                continue  # the shelf says what is wrong with it; the other questions wait all the same
            for issue in issues.values():
                if issue.status is Status.ESCALATE and not issue.ruled:
                    entries = [{"who": e.by, "text": e.text} for e in issue.entries]
                    yield {
                        "id": f"document/{name}/{issue.stem}",
                        "to": "human",
                        "kind": "rule_issue",
                        "about": {"issue": issue.title, "text": issue.text, "summary": issue.decision, "said": entries},
                        "answer_schema": RULING_SCHEMA,
                        "refused": [],
                    }

    def _rule(self, name: str, stem: str, body: Mapping[str, Any]) -> None:
        decision = body.get("decision")
        if not isinstance(decision, str) or not decision.strip():
            raise UsageError("Say the decision, as {'decision': 'TEXT'}.")
        result = self.directories[name].rule(stem, decision)
        if not result.ok:
            raise UsageError("; ".join(str(reason) for reason in result.reasons))
        # Told by hand, because the desk did not ask this one and so cannot know that it was answered.
        self.desk.observe("answered", {"id": f"document/{name}/{stem}"})


def _describe_lease(lease: Lease) -> dict[str, Any]:
    return {"lease": lease.token, "lease_s": lease.seconds}
