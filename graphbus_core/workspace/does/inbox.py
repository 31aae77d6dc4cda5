"""What waits for a person or a program: questions on the desk, and escalated issues of document negotiations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from graphbus_core.document import NegotiationDirectory
from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.negotiation.document.said.vocabulary import Status
from graphbus_core.participants.people.desk import Desk
from graphbus_core.participants.people.leases import Claimed, Lease
from graphbus_core.workspace.shows.errors import Conflict, NotFound
from graphbus_core.workspace.tables.directories import named

RULE = {
    "type": "object",
    "properties": {"decision": {"type": "string", "minLength": 1, "description": "What is to hold on this issue."}},
    "required": ["decision"],
}


class Inbox:
    """Open questions of one workspace, oldest first; those of a directory are `document/NAME/ISSUE`."""

    def __init__(self, desk: Desk, directories: Sequence[Path]) -> None:
        self.desk = desk  # its observer is told of rulings, too
        self.directories = {name: NegotiationDirectory(folder) for name, folder in named(directories).items()}
        self.turns: Callable[[], Iterable[dict[str, Any]]] = tuple  # of seats that are ours at a document
        self.take_turn: Callable[[str, str, Mapping[str, Any]], object] = lambda name, agent, body: None

    def open(self) -> list[dict[str, Any]]:
        """Each with the JSON Schema of its answer."""
        return [*(q.to_dict() for q in self.desk.open()), *self.outside()]

    def answer(self, question_id: str, body: Mapping[str, Any]) -> None:
        """Answer one. Raises NotFound, or UsageError for an answer that is not one."""
        parts = question_id.split("/")
        # By its shape, since the id is what a page has: three parts are a ruling, four a turn, and anything else is
        # at the desk.
        if parts[0] == "document" and len(parts) == 3 and parts[1] in self.directories:
            self._rule(parts[1], parts[2], body)
            return
        if parts[0] == "document" and len(parts) == 4 and parts[2] == "turn" and parts[1] in self.directories:
            self.take_turn(parts[1], parts[3], body)
            return
        self._answer(question_id, body)

    def _answer(self, question_id: str, body: Mapping[str, Any], lease: str = "") -> None:
        try:
            self.desk.answer(question_id, body, lease)
        except KeyError:
            # It was open when the page was drawn. That it is answered by now is not a fault of who clicks.
            raise NotFound(f"There is no open question {question_id!r}; it may have been answered.") from None
        except Claimed as e:
            raise Conflict(str(e)) from None

    def claim(self, to: str | None, lease_s: float) -> dict[str, Any]:
        """The oldest question on the desk that nobody has claimed, with the lease; neither where there is none."""
        found = self.desk.claim(to, lease_s)
        return {} if found is None else {"question": found[0].to_dict(), **_told(found[1])}

    def renew(self, lease: str) -> dict[str, Any]:
        """The lease, from now on for as long as it was claimed for. Raises NotFound where it ended."""
        # Asked first, so that a lease that has ended is told as such, and not renewed by a late call.
        self._lease(lease)
        found = self.desk.leases.renew(lease)
        return _told(found) if found is not None else {}

    def answer_claimed(self, lease: str, body: Mapping[str, Any]) -> None:
        """Answer the claimed question. Raises NotFound where the lease ended, UsageError for what is not an answer."""
        self._answer(self._lease(lease).question, body, lease)

    def release(self, lease: str) -> None:
        """Give it back: another may claim it, and nobody is silent."""
        self.desk.leases.end(self._lease(lease).question)

    def _lease(self, token: str) -> Lease:
        found = self.desk.leases.of(token)
        # Ended and answered are told alike: either way the holder has to claim again.
        if found is None:
            raise NotFound("There is no such lease: it ended, or its question is answered. Claim again.")
        return found

    def outside(self) -> Iterator[dict[str, Any]]:
        """Those that no process of ours asks: rulings and turns in directories."""
        yield from self.escalated()
        yield from self.turns()

    def escalated(self) -> Iterator[dict[str, Any]]:
        """Rulings that are waited for."""
        for name, directory in list(self.directories.items()):
            try:
                issues = directory.look().issues if directory.exists else {}
            except (GraphBusError, OSError):
                # One directory that cannot be read must not hide the questions of all others.
                continue  # the shelf says what is wrong with it; the other questions wait all the same
            for issue in issues.values():
                if issue.status is Status.ESCALATE and not issue.ruled:
                    said = [{"who": e.by, "text": e.text} for e in issue.entries]
                    yield {
                        "id": f"document/{name}/{issue.stem}",
                        "to": "human",
                        "kind": "rule_issue",
                        "about": {"issue": issue.title, "text": issue.text, "summary": issue.decision, "said": said},
                        "answer_schema": RULE,
                        "refused": [],
                    }

    def _rule(self, name: str, stem: str, body: Mapping[str, Any]) -> None:
        decision = body.get("decision")
        if not isinstance(decision, str) or not decision.strip():
            raise UsageError("Say the decision, as {'decision': 'TEXT'}.")
        told = self.directories[name].rule(stem, decision)
        if not told.ok:
            raise UsageError("; ".join(str(reason) for reason in told.reasons))
        # Told by hand, because the desk did not ask this one and so cannot know that it was answered.
        self.desk.observe("answered", {"id": f"document/{name}/{stem}"})


def _told(lease: Lease) -> dict[str, Any]:
    return {"lease": lease.token, "lease_s": lease.seconds}
