"""Answers from a past build: its `<build_id>.answers.jsonl` (`--model recorded:LOG`), or its log if only that is left.

The same start gives the same questions under the same ids, so the recording answers each of them. A question that it
never heard is met with silence that says so: silence is never a yes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from graphbus_core.errors import ScenarioError
from graphbus_core.negotiation.core import Ask, Json, Participant, Reply, View
from graphbus_core.negotiation.proposal import events as e
from graphbus_core.stores.jsonl import read_answers
from graphbus_core.stores.negotiations import ANSWERS
from graphbus_core.stores.reading import LogReader


class RecordedParticipant:
    """One seat that says what was said before."""

    def __init__(self, replies: Mapping[str, Reply], source: str) -> None:
        self._replies = replies
        self._source = source

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The recorded reply to this very question."""
        found = self._replies.get(ask.id)
        if found is None:
            return Reply(None, f"{self._source} has no answer to {ask.id}: the project is not as it was recorded")
        return Reply(found.body, found.why, {**found.usage, "recorded": True})


def recorded(path: Path | str, names: Iterable[str]) -> dict[str, Participant]:
    """A participant for each of `names`, all from one recording. Raises ScenarioError where there is none."""
    replies = read_recording(Path(path))
    return {name: RecordedParticipant(replies, Path(path).name) for name in names}


def read_recording(path: Path) -> dict[str, Reply]:
    """The replies of a past build, given its log or its answers. Raises ScenarioError or LogDamaged."""
    if not path.exists():
        raise ScenarioError(f"{path}: there is no such recording. Give a .jsonl file of .graphbus/negotiations/.")
    beside = path if path.name.endswith(ANSWERS) else path.with_name(path.name.removesuffix(".jsonl") + ANSWERS)
    if beside.exists():
        replies, _, _ = read_answers(beside)
        return replies
    return from_facts(path)


def from_facts(path: Path) -> dict[str, Reply]:
    """The answers that a log's facts hold: refused ones are gone, the accepted ones stand under their first id."""
    replies: dict[str, Reply] = {}
    for entry in LogReader(path, e.EVENTS):
        match entry.event:
            case e.ProposalsMade(round=n, agent=who, proposals=proposals):
                replies[f"{n}.propose.{who}"] = Reply({"proposals": list(proposals)})
            case e.ProposerSilent(round=n, agent=who, why=why):
                replies[f"{n}.propose.{who}"] = Reply(None, why)
            case e.ProposalEvaluated(round=n, proposal_id=pid, evaluator=who, evaluation=said):
                replies[f"{n}.evaluate.{pid}.{who}"] = Reply(said)
            case e.EvaluatorSilent(round=n, proposal_id=pid, evaluator=who, why=why):
                replies[f"{n}.evaluate.{pid}.{who}"] = Reply(None, why)
            case e.Ruled(round=n, proposals=pids, arbiter=who, ruling=ruling):
                replies[f"{n}.arbitrate.{'+'.join(pids)}.{who}"] = Reply(_ruling(ruling))
            case e.CommitApproved(round=n, proposal_id=pid, reason=reason):
                replies[f"{n}.approve.{pid}"] = Reply({"approve": True, "reason": reason})
            case e.ProposalWithdrawn(round=n, proposal_id=pid, why=why):
                replies[f"{n}.approve.{pid}"] = Reply({"approve": False, "reason": why})
            case _:
                pass
    return replies


def _ruling(ruling: Json) -> Json:
    kept = {k: ruling[k] for k in ("decision", "ruling", "proposal_id", "committed_diff") if ruling.get(k)}
    return {**kept, "deferred_proposals": [*ruling["deferred"], *ruling["notes"]]}
