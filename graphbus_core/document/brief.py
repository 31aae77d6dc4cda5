"""What one agent is told when its turn comes: what is new since it last looked, what it owes, and the answer's form.

Pure but for the mark of what was shown, which lies in the negotiation's hidden folder and may be lost: then all is
shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphbus_core.files.whole import put_whole
from graphbus_core.negotiation.document import agreement, judging, rules
from graphbus_core.negotiation.document.said.state import Issue, IssueEntry, State
from graphbus_core.negotiation.document.said.vocabulary import Status

# What says nothing in an issue's form: its title, which stands above it, and headings that nobody filled in.
_TITLE = re.compile(r"\A# Issue:.*\n+")
_EMPTY = re.compile(r"^## [^\n]*\n+(?=## |\Z)", re.MULTILINE)
FORM = """\
@accept ISSUE HASH        accept another agent's offer as it stands
@offer ISSUE              the decision you propose, word for word, in the lines below
@position ISSUE           what you think, in the lines below
@issue TOPIC              a new issue: its question in the lines below"""
ESCALATE = "@escalate ISSUE           last round: what divides you, in the lines below"
CHALLENGE = "@challenge ISSUE          the strongest objection, in the lines below"


@dataclass
class Shown:
    """What this agent has been shown: everything up to a turn, and which issues it saw settled."""

    turn: int = -1
    settled: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)


def shown(hidden: Path, name: str) -> Shown:
    """The mark of an agent; an empty one where there is none."""
    try:
        data = json.loads((hidden / f"read-{name}.json").read_text(encoding="utf-8"))
        return Shown(int(data["turn"]), list(data["settled"]), list(data["sources"]))
    except (OSError, ValueError, KeyError, TypeError):
        # Lost marks show all again. That costs an agent some reading, and the other way round it would miss a word.
        return Shown()


def mark(hidden: Path, name: str, state: State) -> None:
    """This agent has seen all there is."""
    settled = [stem for stem, issue in state.issues.items() if issue.settled]
    # The empty name stands for the topic: it is shown once like a source, and needs no field of its own.
    _keep(hidden, name, {"turn": state.turn, "settled": settled, "sources": ["", *state.sources]})


def brought(hidden: Path, name: str, sources: Sequence[str]) -> None:
    """This agent knows these documents: it brought them."""
    before = shown(hidden, name)
    known = [*before.sources, *(s for s in sources if s not in before.sources)]
    _keep(hidden, name, {"turn": before.turn, "settled": before.settled, "sources": known})


def _keep(hidden: Path, name: str, data: Mapping[str, Any]) -> None:
    try:
        put_whole(hidden / f"read-{name}.json", json.dumps(data).encode())
    except OSError:
        # To fail a turn over a mark would be worse than to show something twice.
        return  # a full disk: it is shown again next time


def told(state: State, name: str, before: Shown) -> str:
    """The brief of a turn."""
    nth = state.turns.get(name, 0) + 1
    lines = [f"Your turn, {name} (turn {state.turn}, your {nth}. of {state.settings.max_rounds} rounds)."]
    lines += _sources(state, before)
    settled = 0
    for issue in state.issues.values():
        # Settled and known issues are counted, not repeated: a brief grows with what is new, and a model pays for
        # each word.
        if issue.settled and issue.stem in before.settled:
            settled += 1
            continue
        lines += ["", *_issue(state, issue, name, before)]
    if settled:
        lines += ["", f"{settled} issues are settled, as you know."]
    return "\n".join([*lines, "", *_owed(state, name)])


def _sources(state: State, before: Shown) -> Iterator[str]:
    if state.topic.strip() and "" not in before.sources:
        yield f"\n# Topic\n{state.topic.removeprefix('# Topic').strip()}"
    for name, text in state.sources.items():
        if name not in before.sources:
            yield f"\n# Source: {name}\n{text.strip()}"


def _issue(state: State, issue: Issue, name: str, before: Shown) -> Iterator[str]:
    new = issue.turn > before.turn or before.turn < 0
    yield f"# {issue.stem}: {_state(state, issue, name)}"
    if new:
        yield _EMPTY.sub("", f"{_TITLE.sub('', issue.text.strip(), count=1)}\n").strip()
    if issue.status is not Status.OPEN:
        yield issue.decision.strip()
        return
    # By identity: two entries may say the same, and only one of them is the offer.
    hashes = {id(e): d for d, e in agreement.offers(issue).items()}
    for entry in issue.entries:
        if entry.by != name and (entry.turn > before.turn or before.turn < 0):
            digest = hashes.get(id(entry), "")
            yield f"{entry.by}{_kind(entry)}{f' [{digest}]' if digest else ''}: {entry.text.strip()}"


def _kind(entry: IssueEntry) -> str:
    return " offers" if entry.offer else "" if entry.kind == "position" else f"'s {entry.kind}"


def _state(state: State, issue: Issue, name: str) -> str:
    if issue.status is Status.AGREED:
        return "AGREED"
    if issue.status is Status.ESCALATE:
        return "ESCALATED"
    parts = ["OPEN"]
    if agreement.answers_last_offer(issue, name):
        parts.append(f"{issue.last_offer_by} made its last offer: accept or escalate")
    elif agreement.last_round(state, issue, name):
        parts.append("your last round: accept, make your last offer, or escalate")
    elif rules.owes_word(state, issue, name) and not state.wrote_now(issue, name):
        parts.append("you owe it a word")
    else:
        parts.append("you need not speak")
    return ", ".join(parts)


def _owed(state: State, name: str) -> Iterator[str]:
    if state.all_settled():
        yield "Everything is settled, and final.md stands there: read it, edit around the decisions, and finish."
        return
    # Without the last line where no issue may be filed any more: an agent that is shown a form uses it.
    form = FORM if not judging.to_file(state, name) else FORM.rpartition("\n")[0]
    last = any(i.open and agreement.last_round(state, i, name) for i in state.issues.values())
    extra = (f"\n{ESCALATE}" if last else "") + (f"\n{CHALLENGE}" if state.settings.rigorous else "")
    yield f"Answer with one text, each part below its line:\n{form}{extra}"
