"""What the rule negotiators propose for a link that does not fit, as edits. Each was tried in memory first.

Proved are the contracts, here and now. Imports and tests are not: the gates of a build prove those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphbus_core.build.confine.outcome import Edited
from graphbus_core.build.edit.applicator import DiffApplicator
from graphbus_core.build.edit.reach import Reach
from graphbus_core.build.link import link_project
from graphbus_core.errors import GraphBusError
from graphbus_core.findings import Finding
from graphbus_core.model.graph import Mismatch
from graphbus_core.model.operation import operations
from graphbus_core.negotiation.proposal.weighed.ground import Ground
from graphbus_core.participants.rules.propose import propose
from graphbus_core.workspace.edited.live import Now
from graphbus_core.workspace.shows.declared import Checked

# An editor shows a short list. Each further one costs a trial of the whole project.
MOST = 8  # proposals for one finding
# In round one rules hold back what they would leave to the other end. In an editor nobody else speaks.
LATE = 2  # a round in which both ends have had the first word, so that every rule may speak
LIMITS = {"rounds": 3, "proposals_left": 1, "proposals_this_round": 1}


@dataclass(frozen=True)
class Fix:
    """`files` are the whole new texts, by path below the scan's root. `sure`: evidence says so, nobody was asked."""

    title: str
    files: Mapping[str, tuple[bytes, bytes]]
    sure: bool


def fixes(now: Now, finding: Finding) -> tuple[Fix, ...]:
    """The proposals that mend this finding and break nothing else."""
    checked = now.checked
    if checked is None:
        return ()
    # By the subject, which names the link: the same finding after an edit is the same link.
    mismatch = next((m for m in checked.linked.mismatches if m.link.id == finding.subject), None)
    if mismatch is None:
        return ()
    found: list[Fix] = []
    for title, diff, sure in _proposed(checked, mismatch):
        files = _tried(now, checked, mismatch, diff)
        # Two rules may reach the same text by different diffs. A person sees the result alone.
        if files and all(files != other.files for other in found):
            found.append(Fix(title, files, sure))
        if len(found) >= MOST:
            break
    return tuple(found)


def _proposed(checked: Checked, mismatch: Mismatch) -> Iterator[tuple[str, list[Mapping[str, Any]], bool]]:
    """(summary, diff, whether evidence speaks for it), from both ends; then what a person may say is meant."""
    ground = Ground(checked.project.everyone, checked.linked.links, [mismatch])
    # The consumer first: it knows what it needs, and its proposal is usually the smaller one.
    ends = dict.fromkeys((mismatch.link.consumer.node, mismatch.link.producer.node))
    asked = []
    for name in ends:
        about = {
            "round": LATE,
            "card": ground.card(name, own=True),
            "neighbours": ground.cards_beside(name),
            "mismatches": ground.mismatches_of(name),
            "links": [link.to_dict() for link in ground.links_of(name)],
            "limits": LIMITS,
        }
        answer = propose(about)
        for one in answer["proposals"]:
            yield one["summary"], one["diff"], True
        # Questions last. What a person would have to decide is offered, but never as the preferred fix.
        asked += [c for question in answer.get("questions", ()) for c in question["candidates"]]
    for candidate in asked:
        yield candidate["says"], candidate["proposal"]["diff"], False


def _tried(
    now: Now, checked: Checked, mismatch: Mismatch, diff: list[Mapping[str, Any]]
) -> dict[str, tuple[bytes, bytes]] | None:
    project = checked.project
    reach = Reach(project)

    def read(path: str) -> bytes | None:
        if path in now.over:
            return now.over[path]
        try:
            return (project.root / path).read_bytes()
        except OSError:
            return None

    outcome = DiffApplicator(read, project.agents, reach.editable, reach=reach).apply(operations(diff))
    # An editor cannot make or remove files as part of this edit, so such a proposal is for a build.
    if not isinstance(outcome, Edited) or outcome.created or outcome.removed:
        return None
    over = {**now.over, **outcome.after}
    try:
        again = project.again(over=over)
        left = {one.link.id for one in link_project(again, over=over).mismatches}
    except GraphBusError:
        # A proposal that makes the project unreadable is not a proposal.
        return None
    stood = {one.link.id for one in checked.linked.mismatches}
    # It must mend this link and break none: one that moves the fault elsewhere would look like a fix.
    if mismatch.link.id in left or left - stood:
        return None
    return {path: (outcome.before[path], after) for path, after in outcome.after.items()}
