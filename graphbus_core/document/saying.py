"""A whole turn in one text: what `graphbus negotiate say` reads. Text in, edits with their lines out; no file, no log.

    @accept ISSUE [HASH]         another agent's offer; without a hash its newest
    @offer ISSUE                 the decision that you propose, in the lines below
    @position ISSUE              what you think, in the lines below; @challenge alike
    @escalate ISSUE              in the last round: what divides you, in the lines below
    @issue TOPIC                 a new issue: its question, context and sides in the lines below

The same as a JSON object is taken, too: lists `accepts`, `offers`, `positions`, `challenges`, `escalations`, `issues`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from graphbus_core.document.paper.review import stem_of
from graphbus_core.negotiation.document import agreement
from graphbus_core.negotiation.document.questions import issue_text, numbered
from graphbus_core.negotiation.document.said.state import State
from graphbus_core.negotiation.document.said.vocabulary import Accept, Edits, Mark, NewIssue, Reason, Status, Words

KINDS = ("accept", "offer", "position", "challenge", "escalate", "issue")
_PLURAL = {
    "accepts": "accept",
    "offers": "offer",
    "positions": "position",
    "challenges": "challenge",
    "escalations": "escalate",
    "issues": "issue",
}
_DIRECTIVE = re.compile(rf"@({'|'.join(KINDS)})\b[ \t]*(.*)")


@dataclass
class Directive:
    """One directive with the lines below it."""

    kind: str
    about: str
    line: int
    text: str = ""
    hash: str = ""


@dataclass
class SpokenTurn:
    """A turn as it was said, and what of it could not be read."""

    parts: list[Directive] = field(default_factory=list)
    faults: list[Reason] = field(default_factory=list)


def read(text: str) -> SpokenTurn:
    """The parts of a turn, from either form."""
    return _from_json(text) if text.lstrip().startswith("{") else _from_lines(text)


def _from_lines(text: str) -> SpokenTurn:
    turn = SpokenTurn()
    body: list[str] = []
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        # In a code fence `@offer` is a quotation, for example of this very form.
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        match = None if fenced else _DIRECTIVE.fullmatch(line.rstrip())
        if match is None:
            # Only at the start of a line: an address or a decorator in the middle of a sentence is text.
            if line.startswith("@") and not fenced and re.fullmatch(r"@\w+(\s.*)?", line):
                word = line.split()[0]
                known = ", ".join(f"@{k}" for k in KINDS)
                turn.faults.append(
                    Reason(f"{word} is not a directive.", f"There are {known}.", "", number, "directive")
                )
            # Words above the first directive would be lost without a trace, so the turn is refused.
            elif not turn.parts and line.strip():
                todo = "Begin with a line such as `@offer ISSUE` or `@accept ISSUE HASH`."
                turn.faults.append(Reason("These words belong to no directive.", todo, "", number, "directive"))
            body.append(line)
            continue
        _close(turn, body)
        about, digest = match[2].strip(), ""
        # From the right: a name of an issue may hold spaces, a hash never does.
        if match[1] == "accept" and " " in about:
            about, _, digest = about.rpartition(" ")
        turn.parts.append(Directive(match[1], about.strip(), number, hash=digest.strip()))
        body = []
    _close(turn, body)
    return turn


def _close(turn: SpokenTurn, body: list[str]) -> None:
    if turn.parts:
        turn.parts[-1].text = "\n".join(body).strip("\n").rstrip()


def _from_json(text: str) -> SpokenTurn:
    turn = SpokenTurn()
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as e:  # nested a thousand deep is not a turn either
        turn.faults.append(Reason(f"That is not JSON: {e}.", "", "", getattr(e, "lineno", 1), "json"))
        return turn
    for key, value in data.items() if isinstance(data, dict) else ():
        if key not in _PLURAL:
            known = ", ".join(_PLURAL)
            turn.faults.append(Reason(f"{key!r} is not a list of a turn.", f"There are {known}.", "", 1, "json"))
            continue
        for item in value if isinstance(value, list) else [None]:
            if not isinstance(item, dict):
                turn.faults.append(Reason(f"`{key}` must be a list of objects.", "", "", 1, "json"))
                continue
            # An agent that reads "issue 1" writes the number, not a text.
            said = {k: str(v) for k, v in item.items() if isinstance(v, str | int)}
            about = said.get("issue") or said.get("title") or said.get("topic") or ""
            words = said.get("text") or said.get("question") or ""
            turn.parts.append(Directive(_PLURAL[key], about, 1, words, said.get("hash", "")))
    return turn


def edits(state: State, who: str, turn: SpokenTurn, taken: int = 0) -> tuple[Edits, tuple[Reason, ...]]:
    """What the turn does, and every reason why it cannot be read as that. `taken`: the highest number of an issue."""
    faults = list(turn.faults)
    # Numbers are given here, once: the same turn read twice must file the same issue.
    new = _filed(state, turn, taken, faults)  # first: a turn may speak on an issue that it files itself
    words: list[Words] = []
    marks: list[Mark] = []
    accepts: list[Accept] = []
    for part in (part for part in turn.parts if part.kind != "issue"):
        stem = _stem(state, part.about, new)
        if stem is None:
            some = ", ".join([*state.issues, *(n.stem for n in new)][:20]) or "none yet"
            what = f"There is no one issue {part.about!r}."
            faults.append(Reason(what, f"There is {some}.", "", part.line, "missing"))
            continue
        issue = state.issues.get(stem)
        if part.kind == "accept":
            newest = agreement.newest(issue, who) if issue else ""
            # Without a hash the newest offer of another is meant; it is what the agent was shown.
            accepts.append(Accept(stem, part.hash or newest, "", part.line))
        elif part.kind == "escalate":
            marks.append(Mark(stem, Status.ESCALATE, part.text, part.line))
        else:
            kind = "challenge" if part.kind == "challenge" else "position"
            number = state.rounds_used(issue, who) + 1 if issue else 1
            words.append(Words(stem, part.text, kind, number, part.line, offer=part.kind == "offer"))
    if not turn.parts and not faults:
        faults.append(
            Reason(
                "Nothing is said.",
                "Offer, accept or take a position: `@offer ISSUE` in a text, `offers` in JSON.",
                "",
                1,
                "empty",
            )
        )
    return Edits(tuple(words), tuple(marks), tuple(new), accepts=tuple(accepts)), tuple(faults)


def _filed(state: State, turn: SpokenTurn, taken: int, faults: list[Reason]) -> list[NewIssue]:
    """The issues that the turn files; `faults` hears of those without a topic or a question."""
    new: list[NewIssue] = []
    for part in (part for part in turn.parts if part.kind == "issue"):
        if not part.about or not part.text.strip():
            todo = "Name it (`@issue TOPIC`), and write its question in the lines below."
            faults.append(Reason("A new issue needs a topic and a question.", todo, "", part.line, "issue"))
            continue
        # Models write the whole file, title and all. A second title in it would look like a second issue.
        whole = part.text if part.text.lstrip().startswith("# ") else issue_text(part.about, part.text)
        one = numbered([*state.issues, *(n.stem for n in new)], [(part.about, part.about, whole)], taken)[0]
        new.append(NewIssue(one.stem, part.about, whole, part.line))
    return new


def _stem(state: State, about: str, new: list[NewIssue]) -> str | None:
    found = stem_of(about, state)
    if found is not None:
        return found
    # The number in front of a name is ours, and an agent does not know it yet in the turn that files the issue.
    return next((n.stem for n in new if about in (n.stem, n.title, n.stem.partition("-")[2])), None)


def lined(reasons: tuple[Reason, ...], own: Edits) -> Iterator[Reason]:
    """Reasons about what was said just now, with the line of the turn in place of a file's."""
    lines = {item.issue: item.line for items in (own.words, own.marks, own.accepts) for item in items if item.line}
    for reason in reasons:
        stem = reason.file.removeprefix("positions/").removesuffix(".md")
        # A reason with a line of a file would send its author to a file that it never touched.
        mine = reason.line and any(
            item.line == reason.line for items in (own.words, own.marks, own.accepts, own.issues) for item in items
        )
        if mine or (stem in lines and reason.code not in ("altered", "forged")):
            yield Reason(reason.what, reason.todo, "", reason.line or lines.get(stem, 0), reason.code)
        else:
            yield reason
