"""A landing that no candidate holds becomes a negotiation between the owners of its two branches.

It is a document negotiation like any other, in git's common directory: an issue for each region, an offer is the text
of that region, and it stands when the other side accepted it by its hash. Two seats, `ours` and `theirs`, are taken by
whoever owns the branches: a person, a coding agent, a model, a script.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.commit.landing.advance import open_state
from graphbus_core.commit.landing.regions import Region
from graphbus_core.commit.landing.repository import Repository
from graphbus_core.errors import UsageError
from graphbus_core.negotiation.document import agreement
from graphbus_core.negotiation.document.model import Settings
from graphbus_core.negotiation.document.questions import render_issue
from graphbus_core.sessions.document.directory import NegotiationDirectory
from graphbus_core.sessions.document.registration import write_topic

TABLES = "tables"
SEATS = ("ours", "theirs")
PATIENCE_S = 7 * 86_400.0  # a person may come tomorrow
_FENCE = re.compile(r"^(`{3,}|~{3,})[^\n]*\n(.*?)^\1[ \t]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Decision:
    """The text of a region that both sides agreed on: whose offer, by which hash, and who accepted it."""

    issue: str
    path: str
    symbol: str
    text: str
    offer: str
    by: str
    accepted_by: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The form in the log of landings, without the text: that stands in the commit."""
        return {"issue": self.issue, "file": self.path, "symbol": self.symbol, "offer": self.offer, "by": self.by,
                "accepted_by": list(self.accepted_by)}  # fmt: skip


@dataclass(frozen=True)
class LandingTable:
    """The table of two commits of two branches."""

    where: NegotiationDirectory

    @classmethod
    def of(cls, repository: Repository, base: str, ours: str, theirs: str) -> LandingTable:
        """The table of these three commits, whether somebody sits at it or not."""
        name = hashlib.sha256(f"{base} {ours} {theirs}".encode()).hexdigest()[:12]
        return cls(NegotiationDirectory(open_state(repository) / TABLES / name))

    @property
    def folder(self) -> Path:
        return self.where.root

    @property
    def is_open(self) -> bool:
        return self.folder.is_dir()

    def open(self, branch: str, onto: str, regions: Sequence[Region]) -> None:
        """Open it, with an issue for each region. Raises UsageError where that is refused."""
        self.folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        opened = self.where.init(
            Settings(expected_agents=2, registration_window_s=PATIENCE_S, turn_timeout_s=PATIENCE_S, poll_interval_s=1)
        )
        if not opened.ok:
            raise UsageError(str(opened.reasons[0].what))
        write_topic(self.where, _render_topic(branch, onto))
        for region in regions:
            filed = self.where.add_issue(f"{region.path} {region.symbol}", text=_render_region(region))
            if not filed.ok:
                raise UsageError(str(filed.reasons[0].what))

    def read_decisions(self, regions: Sequence[Region]) -> list[Decision] | None:
        """What was agreed on, region by region; None while one is open."""
        state = self.where.read_state()
        issues = {issue.title: issue for issue in state.issues.values()}
        found = []
        for region in regions:
            issue = issues.get(f"{region.path} {region.symbol}")
            if issue is None or not issue.is_settled:
                return None
            offers = [(d, e) for d, e in agreement.collect_offers(issue).items() if e.text == issue.decision]
            digest, entry = offers[-1] if offers else ("", None)
            by = entry.by if entry is not None else ""
            others = tuple(name for name in state.agents if name != by)
            text = read_code(issue.decision)
            found.append(Decision(issue.stem, region.path, region.symbol, text, digest, by, others))
        return found

    def describe_open(self) -> list[str]:
        """What is open, and who is awaited, line by line."""
        state = self.where.read_state()
        absent = [name for name in SEATS if name not in state.agents]
        lines = [f"{issue.stem}: open" for issue in state.issues.values() if not issue.is_settled]
        for name in absent:
            lines.append(f"seat {name} is free: graphbus negotiate start {self.folder} --name {name}")
        if not absent:
            lines.append(f"{state.holder or 'nobody'} has the turn: graphbus negotiate turn {self.folder} NAME")
        return lines


def read_code(decision: str) -> str:
    """The code of a decision: what stands in its first fence, or all of it."""
    match = _FENCE.search(decision)
    return match[2] if match else decision


def _render_topic(branch: str, onto: str) -> str:
    return (
        f"How {branch} (the seat `theirs`) lands on {onto} (the seat `ours`). Each issue is one region in which the\n"
        "two do not fit. An offer is the whole new text of that region, in a fence of three backticks; an empty fence\n"
        "takes the region away. What both accept goes through the same gates as any landing.\n"
    )


def _render_region(region: Region) -> str:
    sides = [
        (name, f"```python\n{text.rstrip()}\n```") for name, text in (("ours", region.ours), ("theirs", region.theirs))
    ]
    question = f"What stands at {region.path}, {region.symbol}? {region.why} (line {region.line})."
    context = f"In the base it was:\n\n```python\n{region.base.rstrip()}\n```"
    return render_issue(f"{region.path} {region.symbol}", question, context, sides)
