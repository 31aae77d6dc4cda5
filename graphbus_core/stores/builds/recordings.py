"""What was said in a past build: its `<build_id>.answers.jsonl`, or its log where only that is left."""

from __future__ import annotations

from pathlib import Path

from graphbus_core.errors import ScenarioError
from graphbus_core.negotiation.core import Json, Reply
from graphbus_core.negotiation.proposal.said import events as e
from graphbus_core.stores.builds.negotiation_folder import ANSWERS
from graphbus_core.stores.jsonl import read_answers
from graphbus_core.stores.log_reading import LogReader, inspect_log


def read_recording(path: Path) -> dict[str, Reply]:
    """The replies of a past build, given its log or its answers. Raises ScenarioError, or LogDamaged where a log is."""
    give = "Give a .jsonl file of .graphbus/negotiations/."
    if not path.is_file():
        what = "this is not a file" if path.exists() else "there is no such recording"
        raise ScenarioError(f"{path}: {what}. {give}")
    # Answers and not the log where both are there: they also hold what was refused, word for word.
    beside = path if path.name.endswith(ANSWERS) else path.with_name(path.name.removesuffix(".jsonl") + ANSWERS)
    try:
        if beside.exists():
            replies, damaged, _ = read_answers(beside)
            if replies or not damaged:
                return replies
            raise ScenarioError(f"The recording {beside} holds no answer that can be read. {give}")
        header = inspect_log(path).header
    except OSError as e:
        raise ScenarioError(f"The recording {path} cannot be read ({e.strerror}). {give}") from None
    if header is None or header.get("protocol") != "proposal":
        raise ScenarioError(f"{path} is not a log of a build, so nothing was recorded in it. {give}")
    return from_facts(path)


def from_facts(path: Path) -> dict[str, Reply]:
    """The answers that a log's facts hold: refused ones are gone, the accepted ones stand under their first id."""
    # A log of facts alone still replays: accepted answers are in it, and a refused one never moved anything.
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
            # Facts that no answer made (rounds, commits) are computed again by the engine.
            case _:
                pass
    return replies


def _ruling(ruling: Json) -> Json:
    kept = {k: ruling[k] for k in ("decision", "ruling", "proposal_id", "committed_diff") if ruling.get(k)}
    # As the arbiter said it: the fact splits deferred from noted, and the answer had one list.
    return {**kept, "deferred_proposals": [*ruling["deferred"], *ruling["notes"]]}
