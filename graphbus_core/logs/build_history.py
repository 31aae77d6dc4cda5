"""What was said in a past build: its `<build_id>.answers.jsonl`, or its log where only that is left."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from graphbus_core.errors import LogDamaged, ScenarioError
from graphbus_core.logs.jsonl import LogReader, inspect_log, read_answers
from graphbus_core.logs.negotiation_folder import ANSWERS, NegotiationFolder
from graphbus_core.negotiation.core import Json, Reply
from graphbus_core.negotiation.proposal import events as e
from graphbus_core.negotiation.proposal.events import EVENTS
from graphbus_core.negotiation.proposal.negotiation_log import NegotiationLog

# Which negotiation was a dry run, for who asks after a commit that never was one.


def find_dry_run(output_dir: Path, proposal_id: str) -> str:
    """The newest build whose dry run would have committed this proposal; nothing where there is none."""
    store = NegotiationFolder(output_dir)
    for build_id in reversed(store.list_builds()):
        try:
            log = NegotiationLog(LogReader(store.log_path(build_id), EVENTS), build_id)
        # A damaged log says nothing of dry runs; `log verify` says what is wrong with it.
        except LogDamaged:
            continue
        if log.dry_run and proposal_id in log.committed_ids:
            return build_id
    return ""


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
    return derive_replies(path)


def derive_replies(path: Path) -> dict[str, Reply]:
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
                replies[f"{n}.arbitrate.{'+'.join(pids)}.{who}"] = Reply(_rebuild_ruling(ruling))
            case e.CommitApproved(round=n, proposal_id=pid, reason=reason):
                replies[f"{n}.approve.{pid}"] = Reply({"approve": True, "reason": reason})
            case e.ProposalWithdrawn(round=n, proposal_id=pid, why=why):
                replies[f"{n}.approve.{pid}"] = Reply({"approve": False, "reason": why})
            # Facts that no answer made (rounds, commits) are computed again by the engine.
            case _:
                pass
    return replies


def _rebuild_ruling(ruling: Json) -> Json:
    body = {k: ruling[k] for k in ("decision", "ruling", "proposal_id", "committed_diff") if ruling.get(k)}
    # As the arbiter said it: the fact splits deferred from noted, and the answer had one list.
    return {**body, "deferred_proposals": [*ruling["deferred"], *ruling["notes"]]}


# Which commits were taken back, and when: what `graphbus undo` leaves in the records of `.graphbus/undo/`.
#
# The same start gives the same ids of proposals, so a commit that was taken back may be made again by a later build and
# get the same record. A record therefore names its build, and keeps what was undone before it.


FOLDER = "undo"
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_OTHER = re.compile(r"(\.[0-9a-f]{8})?\.json$")
UNDONE_MAX = 50  # undoings of one id that a record remembers


# A new record: the old one may be held by somebody who compares the two.
def mark_undone(record: Mapping[str, Any], timestamp: float) -> dict[str, Any]:
    """The record of a commit that was taken back, at epoch seconds `at`."""
    return {**record, "undone": True, "undone_at": timestamp}


def list_earlier(had: bytes | None) -> list[dict[str, Any]]:
    """What a record that is about to be written over says was undone: for the new record's `undone_before`."""
    record = _parse_record(had)
    before = list(record.get("undone_before") or ())
    if record.get("undone"):
        before.append({"build_id": record.get("build_id", ""), "at": record.get("undone_at")})
    # The last ones: a proposal that is made and undone in turn for years must not grow its record without a bound.
    return before[-UNDONE_MAX:]


def find_undone(output_dir: Path, build_id: str, committed: Iterable[str]) -> dict[str, float | None]:
    """Those of the `committed` proposals of a build that were taken back -> when (None: an older version did not say).

    A record without a build speaks of every build that has the proposal: it could only be made again because it was
    taken back before.
    """
    undone: dict[str, float | None] = {}
    try:
        names = os.listdir(output_dir / FOLDER)
    except OSError:
        return undone
    files: dict[str, list[str]] = {}
    for name in names:  # a second project that shares the output folder has a name of its own for the same id
        files.setdefault(_OTHER.sub("", name), []).append(name)
    for proposal_id in committed:
        if not _ID.fullmatch(proposal_id):  # a log may come from anywhere, and this becomes a path
            continue
        # The plain name as well: records of an edition before names had a suffix.
        for name in sorted({*files.get(proposal_id, ()), f"{proposal_id}.json"}):
            try:
                data = (output_dir / FOLDER / name).read_bytes()
            except OSError:
                continue
            for undoing in list_earlier(data):
                if undoing.get("build_id") in ("", build_id):
                    undone[proposal_id] = undoing.get("at")
    return undone


def _parse_record(data: bytes | None) -> dict[str, Any]:
    try:
        record = json.loads(data) if data is not None else {}
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}
