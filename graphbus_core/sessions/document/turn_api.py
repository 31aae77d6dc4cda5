"""A whole turn in one text: what `graphbus negotiate say` reads. Text in, edits with their lines out; no file, no log.

    @accept ISSUE [HASH]         another agent's offer; without a hash its newest
    @offer ISSUE                 the decision that you propose, in the lines below
    @position ISSUE              what you think, in the lines below; @challenge alike
    @escalate ISSUE              in the last round: what divides you, in the lines below
    @issue TOPIC                 a new issue: its question, context and sides in the lines below
    @conflict PLACE PLACE        a new issue: which of two statements holds, by their places in fates.md

The same as a JSON object is taken, too: lists `accepts`, `offers`, `positions`, `challenges`,
`escalations`, `issues`, `conflicts`.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from graphbus_core.negotiation.document import agreement, rules, signing, validation
from graphbus_core.negotiation.document.fates import build_conflict_issue, judge_fates, render_conflicts
from graphbus_core.negotiation.document.model import FINAL, Accept, Edits, Mark, NewIssue, Phase, Reason, Status, Words
from graphbus_core.negotiation.document.questions import number_issues, parse_issue_number, render_issue
from graphbus_core.negotiation.document.state import Issue, IssueEntry, State
from graphbus_core.negotiation.document.text.pages import split_pages
from graphbus_core.sessions.document import turns
from graphbus_core.sessions.document.directory import NegotiationDirectory, OperationResult
from graphbus_core.sessions.document.foreseen import check_foreseen
from graphbus_core.sessions.document.review import Review, resolve_issue_stem
from graphbus_core.storage.atomic_files import write_atomic
from graphbus_core.text import format_count

# What one agent is told when its turn comes: what is new since it last looked, what it owes, and the answer's form.
#
# Pure but for the mark of what was shown, which lies in the negotiation's hidden folder and may be lost: then all is
# shown.


# What says nothing in an issue's form: its title, which stands above it, and headings that nobody filled in.
_TITLE = re.compile(r"\A# Issue:.*\n+")
_EMPTY_SECTION = re.compile(r"^## [^\n]*\n+(?=## |\Z)", re.MULTILINE)
FORM = """\
@accept ISSUE HASH   accept another agent's offer as it stands
@offer ISSUE         the decision you propose, word for word, in the lines below
@position ISSUE      what you think, in the lines below
@issue TOPIC         a new issue: its question in the lines below"""
JSON_FORM = "Answer by its schema: on each issue that you owe a word accepts, offers or positions; or new issues."
ESCALATE = "@escalate ISSUE      last round: what divides you, in the lines below"
CHALLENGE = "@challenge ISSUE     the strongest objection, in the lines below"


@dataclass
class ReadingMark:
    """What this agent has been shown: everything up to a turn, and which issues it saw settled. `before`: the mark of
    when this turn began, so that whoever asks twice in one turn is told the same."""

    turn: int = -1
    settled: list[str] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    before: dict[str, Any] = field(default_factory=dict)


def load_reading_mark(hidden: Path, name: str) -> ReadingMark:
    """The mark of an agent; an empty one where there is none."""
    try:
        data = json.loads((hidden / f"read-{name}.json").read_text(encoding="utf-8"))
        before = dict(data.get("before", {}))
        return ReadingMark(int(data["turn"]), list(data["settled"]), list(data["sources"]), before)
    except (OSError, ValueError, KeyError, TypeError):
        # Lost marks show all again. That costs an agent some reading, and the other way round it would miss a word.
        return ReadingMark()


def mark_all_read(hidden: Path, name: str, state: State, before: ReadingMark) -> None:
    """This agent has seen all there is."""
    settled = [stem for stem, issue in state.issues.items() if issue.is_settled]
    # The empty name stands for the topic: it is shown once like a source, and needs no field of its own.
    _save_mark(hidden, name, ReadingMark(state.turn, settled, ["", *state.sources], asdict(before)))


def mark_sources_read(hidden: Path, name: str, sources: Sequence[str]) -> None:
    """This agent knows these documents: it brought them."""
    before = load_reading_mark(hidden, name)
    _save_mark(hidden, name, replace(before, sources=list(dict.fromkeys((*before.sources, *sources)))))


def _save_mark(hidden: Path, name: str, mark: ReadingMark) -> None:
    mark.before.pop("before", None)
    try:
        write_atomic(hidden / f"read-{name}.json", json.dumps(asdict(mark)).encode())
    except OSError:
        # To fail a turn over a mark would be worse than to show something twice.
        return  # a full disk: it is shown again next time


def render_brief(state: State, name: str, before: ReadingMark, final: str = "", as_json: bool = False) -> str:
    """The brief of a turn. `final`: the document as it lies there. `as_json`: for who answers with an object, over MCP,
    and not with a text."""
    nth = state.turns.get(name, 0) + 1
    lines = [f"Your turn, {name} (turn {state.turn}, your {nth}. of {state.settings.max_rounds} rounds)."]
    lines += _render_sources(state, before, as_json)
    if len(state.sources) > 1 and before.turn < 0:
        # Once, with the sources: later they are in fates.md, and before the end their number is told.
        fates = judge_fates(state)
        lines += render_conflicts(fates, "`conflicts`") if as_json else render_conflicts(fates)
    settled, agreed = 0, []
    for issue in state.issues.values():
        # Settled and known issues are counted, not repeated: a brief grows with what is new, and a model pays for
        # each word.
        if issue.is_settled and issue.stem in before.settled:
            settled += 1
            continue
        if issue.status is Status.AGREED and issue.turn <= before.turn and _knows_decision(issue, name, before):
            agreed.append(issue.stem)
            continue
        lines += ["", *_render_issue(state, issue, name, before)]
    if agreed:
        lines += ["", f"AGREED, as you know: {', '.join(agreed)}."]
    if settled and not state.are_all_settled():
        lines += ["", f"{format_count(settled, 'issue', 'is', 'are')} settled, as you know."]
    return "\n".join([*lines, "", *_render_owed(state, name, final or state.draft, before, as_json)])


def _render_sources(state: State, before: ReadingMark, as_json: bool) -> Iterator[str]:
    if state.topic.strip() and "" not in before.sources:
        yield f"\n# Topic\n{state.topic.removeprefix('# Topic').strip()}"
    for name, text in state.sources.items():
        if name not in before.sources:
            pages = split_pages(text.strip())
            yield f"\n# Source: {name}\n{pages[0]}"
            if len(pages) > 1:
                call = (
                    f"read_page with name sources/{name}, page 2" if as_json else f"show DIR --source {name} --page 2"
                )
                yield f"# Page 1 of {len(pages)} of source {name}. The next: {call}"


def _render_issue(state: State, issue: Issue, name: str, before: ReadingMark) -> Iterator[str]:
    new = issue.turn > before.turn or before.turn < 0
    yield f"# {issue.stem}: {_describe_state(state, issue, name)}"
    if new:
        yield _EMPTY_SECTION.sub("", f"{_TITLE.sub('', issue.text.strip(), count=1)}\n").strip()
    if issue.status is not Status.OPEN and not _knows_decision(issue, name, before):
        yield issue.decision.strip()
    if not agreement.may_be_agreed(issue):
        return
    # By identity: two entries may say the same, and only one of them is the offer.
    hashes = {id(e): d for d, e in agreement.collect_offers(issue).items()}
    for entry in issue.entries:
        if entry.by != name and (entry.turn > before.turn or before.turn < 0):
            digest = hashes.get(id(entry), "")
            yield f"{entry.by}{_describe_kind(entry)}{f' [{digest}]' if digest else ''}: {entry.text.strip()}"


def _knows_decision(issue: Issue, name: str, before: ReadingMark) -> bool:
    """Whether this agent wrote the decision, or accepted it by its hash: then it is not told its words again."""
    accepted = issue.accepted.get(name, ("", ""))[0]
    known = [e.text.strip() for d, e in agreement.collect_offers(issue).items() if name == e.by or d == accepted]
    return before.turn >= 0 and issue.decision.strip() in known


def _describe_kind(entry: IssueEntry) -> str:
    return " offers" if entry.offer else "" if entry.kind == "position" else f"'s {entry.kind}"


def _describe_state(state: State, issue: Issue, name: str) -> str:
    if issue.status is Status.AGREED:
        return "AGREED"
    if issue.status is Status.ESCALATE:
        return "ESCALATED (an offer on it can still be accepted)" if agreement.collect_offers(issue) else "ESCALATED"
    parts = ["OPEN"]
    if agreement.must_answer_last_offer(issue, name):
        parts.append(f"{issue.last_offer_by} made its last offer: accept or escalate")
    elif agreement.is_last_round(state, issue, name):
        parts.append("your last round: accept, make your last offer, or escalate")
    elif rules.owes_word(state, issue, name) and not state.has_written_now(issue, name):
        parts.append("you owe it a word")
    else:
        parts.append("you need not speak")
    return ", ".join(parts)


def _render_owed(state: State, name: str, final: str, before: ReadingMark, as_json: bool) -> Iterator[str]:
    if state.are_all_settled():
        digest = signing.compute_lying_hash(state, final)
        yield from signing.describe_signing(state, name, final, digest)
        last = signing.is_last_acceptance(state, name, digest)
        ends = ". Yours is the last acceptance: with it the negotiation ends." if last else "."
        form = (
            f'{{"accepts": [{{"issue": "{FINAL}", "hash": "{digest}"}}]}}' if as_json else f"@accept {FINAL} {digest}"
        )
        read = "Read it (read_page with name final)" if as_json else "Read it"
        yield f"{read}, and answer `{form}`{ends}"
        return
    if as_json:
        yield JSON_FORM
        return
    # Without the last line where no issue may be filed any more: an agent that is shown a form uses it.
    form = FORM if not validation.check_filing(state, name) else FORM.rpartition("\n")[0]
    last = any(i.is_open and agreement.is_last_round(state, i, name) for i in state.issues.values())
    extra = (f"\n{ESCALATE}" if last else "") + (f"\n{CHALLENGE}" if state.settings.rigorous else "")
    if before.turn >= 0 and not extra:
        # The form in full once: whoever lost it asks with everything.
        yield f"Answer as before: {', '.join(line.partition('  ')[0] for line in form.splitlines())}."
        return
    yield f"Answer with one text, each part below its line:\n{form}{extra}"


KINDS = ("accept", "offer", "position", "challenge", "escalate", "issue", "conflict")
_PLURAL = {
    "accepts": "accept",
    "offers": "offer",
    "positions": "position",
    "challenges": "challenge",
    "escalations": "escalate",
    "issues": "issue",
    "conflicts": "conflict",
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
class ParsedTurn:
    """A turn as it was said, and what of it could not be read."""

    parts: list[Directive] = field(default_factory=list)
    faults: list[Reason] = field(default_factory=list)


def parse_turn(text: str) -> ParsedTurn:
    """The parts of a turn, from either form."""
    return _parse_json(text) if text.lstrip().startswith("{") else _parse_lines(text)


def _parse_lines(text: str) -> ParsedTurn:
    turn = ParsedTurn()
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
                directives = ", ".join(f"@{k}" for k in KINDS)
                turn.faults.append(
                    Reason(f"{word} is not a directive.", f"There are {directives}.", "", number, "directive")
                )
            # Words above the first directive would be lost without a trace, so the turn is refused.
            elif not turn.parts and line.strip():
                todo = "Begin with a line such as `@offer ISSUE` or `@accept ISSUE HASH`."
                turn.faults.append(Reason("These words belong to no directive.", todo, "", number, "directive"))
            body.append(line)
            continue
        _close_directive(turn, body)
        about, digest = match[2].strip(), ""
        # From the right: a name of an issue may hold spaces, a hash never does.
        if match[1] == "accept" and " " in about:
            about, _, digest = about.rpartition(" ")
        turn.parts.append(Directive(match[1], about.strip(), number, hash=digest.strip()))
        body = []
    _close_directive(turn, body)
    return turn


def _close_directive(turn: ParsedTurn, body: list[str]) -> None:
    if turn.parts:
        turn.parts[-1].text = "\n".join(body).strip("\n").rstrip()


def _parse_json(text: str) -> ParsedTurn:
    turn = ParsedTurn()
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as e:  # nested a thousand deep is not a turn either
        turn.faults.append(Reason(f"That is not JSON: {e}.", "", "", getattr(e, "lineno", 1), "json"))
        return turn
    for key, value in data.items() if isinstance(data, dict) else ():
        if key not in _PLURAL:
            list_names = ", ".join(_PLURAL)
            turn.faults.append(Reason(f"{key!r} is not a list of a turn.", f"There are {list_names}.", "", 1, "json"))
            continue
        for item in value if isinstance(value, list) else [None]:
            if not isinstance(item, dict):
                turn.faults.append(Reason(f"`{key}` must be a list of objects.", "", "", 1, "json"))
                continue
            # An agent that reads "issue 1" writes the number, not a text.
            item_fields = {k: str(v) for k, v in item.items() if isinstance(v, str | int)}
            about = item_fields.get("issue") or item_fields.get("title") or item_fields.get("topic") or ""
            about = about or f"{item_fields.get('first', '')} {item_fields.get('second', '')}".strip()
            words = item_fields.get("text") or item_fields.get("question") or ""
            turn.parts.append(Directive(_PLURAL[key], about, 1, words, item_fields.get("hash", "")))
    return turn


def build_edits(
    state: State, who: str, turn: ParsedTurn, highest_number: int = 0, final: str = ""
) -> tuple[Edits, tuple[Reason, ...]]:
    """What the turn does, and every reason why it cannot be read as that. `final`: the document as it lies there."""
    faults = list(turn.faults)
    # Numbers are given here, once: the same turn read twice must file the same issue.
    new = _build_new_issues(
        state, turn, highest_number, faults
    )  # first: a turn may speak on an issue that it files itself
    words: list[Words] = []
    marks: list[Mark] = []
    accepts: list[Accept] = []
    for part in (part for part in turn.parts if part.kind not in ("issue", "conflict")):
        if part.kind == "accept" and part.about in ("final", FINAL):
            accepts.append(_build_signature(state, part, final, faults))
            continue
        stem = _resolve_stem(state, part.about, new)
        if stem is None:
            some = ", ".join([*state.issues, *(n.stem for n in new)][:20]) or "none yet"
            what = f"There is no one issue {part.about!r}."
            faults.append(Reason(what, f"There is {some}.", "", part.line, "missing"))
            continue
        issue = state.issues.get(stem)
        if part.kind == "accept":
            newest = agreement.find_newest_offer(issue, who) if issue else ""
            # Without a hash the newest offer of another is meant; it is what the agent was shown.
            accepts.append(Accept(stem, part.hash or newest, "", part.line))
        elif part.kind == "escalate":
            marks.append(Mark(stem, Status.ESCALATE, part.text, part.line))
        else:
            kind = "challenge" if part.kind == "challenge" else "position"
            number = state.count_rounds(issue, who) + 1 if issue else 1
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


def _build_signature(state: State, part: Directive, final: str, faults: list[Reason]) -> Accept:
    """The acceptance of the document as it lies there; one that was edited is laid on the table when it is recorded."""
    lying = signing.compute_lying_hash(state, final) if state.are_all_settled() else ""
    if lying and part.hash not in ("", lying):
        faults.append(signing.build_stale_reason(part.hash, lying, part.line))
    return Accept(FINAL, state.draft_hash, "", part.line)


def _build_new_issues(state: State, turn: ParsedTurn, highest_number: int, faults: list[Reason]) -> list[NewIssue]:
    """The issues that the turn files; `faults` hears of those without a topic or a question."""
    new: list[NewIssue] = []
    for part in (part for part in turn.parts if part.kind in ("issue", "conflict")):
        if part.kind == "conflict":
            found = build_conflict_issue(state, part.about)
            if found is None:
                what = f"{part.about or 'Nothing'!r} is not two places of two sources."
                todo = "Name them as fates.md does: `@conflict plan:12 other:7`."
                faults.append(Reason(what, todo, "", part.line, "conflict"))
                continue
            part = replace(part, about=found[0], text=found[1])
        if not part.about or not part.text.strip():
            todo = "Name it (`@issue TOPIC`), and write its question in the lines below."
            faults.append(Reason("A new issue needs a topic and a question.", todo, "", part.line, "issue"))
            continue
        # Models write the whole file, title and all. A second title in it would look like a second issue.
        whole = part.text if part.text.lstrip().startswith("# ") else render_issue(part.about, part.text)
        new_issue = number_issues(
            [*state.issues, *(n.stem for n in new)], [(part.about, part.about, whole)], highest_number
        )[0]
        new.append(NewIssue(new_issue.stem, part.about, whole, part.line))
    return new


def _resolve_stem(state: State, about: str, new: list[NewIssue]) -> str | None:
    stem = resolve_issue_stem(about, state)
    if stem is not None:
        return stem
    # The number in front of a name is ours, and an agent does not know it yet in the turn that files the issue.
    return next((n.stem for n in new if about in (n.stem, n.title, n.stem.partition("-")[2])), None)


def attach_turn_lines(reasons: tuple[Reason, ...], own: Edits) -> Iterator[Reason]:
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


# One turn in two calls: wait for it and be told what is new; say all of it at once, and hand off or finish.
#
# While it waits an agent costs next to nothing: a few looks at whether files changed, and now and then a full one,
# which also skips whoever is silent.


# Three `stat` calls every 0.4 s: nothing to a processor, and a person does not notice the wait.
GLANCE_S = 0.4  # between two looks at whether a file changed
# A full look takes the lock. With ten agents waiting at one table, more often would mean that they queue.
LOOK_S = 20.0  # between two full looks, which also notice silence
FORMING_LOOK_S = 3.0  # while registration or the analyses are open


def wait_for_turn(
    where: NegotiationDirectory, name: str, is_over: Callable[[dict[str, Any]], bool], within_s: float | None
) -> OperationResult:
    """Look until `done` says so of whose turn it is, or the time is up."""
    ends = None if within_s is None else time.monotonic() + within_s
    while True:
        result = where.poll(name)
        if is_over(result.data) or (ends is not None and time.monotonic() >= ends):
            return result
        pause = LOOK_S if result.data["phase"] == Phase.POSITIONS else FORMING_LOOK_S
        if where.is_shared:
            # Over git nothing changes on this disk by itself, so the glance would wait in vain.
            pause = result.data["poll_s"]  # no file moves here before it was fetched
        full = time.monotonic() + pause
        before = snapshot_files(where.root)
        while time.monotonic() < full and (ends is None or time.monotonic() < ends):
            sleep_s = GLANCE_S if ends is None else max(0.0, min(GLANCE_S, ends - time.monotonic()))
            # Never beyond the end of the caller's time, also on the last round.
            time.sleep(sleep_s)
            if snapshot_files(where.root) != before:
                break


def snapshot_files(root: Path) -> tuple[Any, ...]:
    """What changes when somebody moves: three looks at the file system."""
    return tuple(_read_file_signature(root / name) for name in ("turn.md", ".graphbus/log.jsonl", "agents.md"))


def _read_file_signature(path: Path) -> tuple[int, int, int] | None:
    try:
        info = os.stat(path, follow_symlinks=False)
    # The inode too: a file that is replaced can have the size and, on a coarse clock, the time of the one before.
    except OSError:
        return None
    return info.st_ino, info.st_size, info.st_mtime_ns


def deliver_brief(
    where: NegotiationDirectory, name: str, everything: bool = False, again: bool = False, as_json: bool = False
) -> str:
    """What this agent is told now that its turn has come; what was shown is not shown again, but with `again` what was
    shown in this turn. Whoever reads along for another seat takes none of its news: what was shown to it is noted only
    where its token is given."""
    state = where.read_state(working=True)
    before = ReadingMark() if everything else load_reading_mark(where.hidden, name)
    if again and before.turn == state.turn and before.before:
        before = ReadingMark(**before.before)
    text = render_brief(state, name, before, turns.read_final(where), as_json)
    if not where.may_act(state, name):
        mark_all_read(where.hidden, name, state, before)
    return text


def take_turn(
    where: NegotiationDirectory, name: str, text: str, keep: bool = False, accepts_final: str = ""
) -> OperationResult:
    """A whole turn at once, all of it or nothing. `data["end"]` says what came of it: "kept", "handed" or
    "finished". `accepts_final`: the hash of the document that this very turn makes, which is accepted with it."""
    with where.hold_for_move(name) as state:
        if reasons := where.may_act(state, name):
            return OperationResult(reasons)
        turn_review = where.review_turn(name)
        # From the files: numbers of issues that lie there unrecorded are taken.
        highest_number = max([0, *map(parse_issue_number, where.shelf.list_stems("issues"))])
        own, unread = build_edits(state, name, parse_turn(text), highest_number, turns.read_final(where))
        if unread:
            # Before anything is judged: half of what was meant would be judged as the whole.
            return OperationResult(unread)
        merged = _merge_edits(turn_review.edits, own)
        judged, wrong = rules.judge_edits(state, name, merged)
        reasons = (*merged.flaws, *(why for _, why in wrong))
        if not keep and not reasons:
            # A text that is kept for later need not be a complete turn.
            reasons = rules.check_hand_off(state, name, merged)
        if reasons:
            return OperationResult(tuple(attach_turn_lines(reasons, own)))
        # Whether all is over is computed from the turn before it is recorded: a hand-off to nobody would be a fact of
        # its own.
        after = rules.simulate_agreements(rules.simulate_turn(state, merged))
        if accepts_final and (reasons := check_foreseen(where, after, accepts_final)):
            return OperationResult(reasons)
        signs = bool(accepts_final) or any(accept.issue == FINAL for accept in judged.accepts)
        over = after.are_all_settled() and not any(after.find_awaiting_judge()) and not state.settings.signed
        if keep:
            where.submit(name, {"move": "note", **judged.to_dict()})
            return OperationResult(data={"end": "kept", **_count_edits(judged)})
        if signs or (over and not state.settings.rigorous):
            return _sign(where, name, turn_review, merged, judged)
        turns.record_sources(where)
        turns.record_worded_issues(where, turn_review)
        where.submit(name, {"move": "note", **judged.to_dict()})
        turns.end_turn(where, name, "hand-off", Edits(remarks=merged.remarks), merged)
        return OperationResult(data={"end": "handed", "holder": where.state.holder, **_count_edits(judged)})


def _sign(where: NegotiationDirectory, name: str, turn_review: Review, merged: Edits, judged: Edits) -> OperationResult:
    """The document that lies there is accepted with this turn; it ends here where that was the last acceptance."""
    after = rules.simulate_agreements(rules.simulate_turn(where.state, merged))
    final = where.prepare_final_document(after)
    # Audited is True: who accepts by the hash has the table of fates, which says where each statement went.
    if reasons := rules.check_finish(where.state, merged, final, True):
        return OperationResult(reasons)
    own = replace(merged, accepts=tuple(accept for accept in judged.accepts if accept.issue != FINAL))
    turns.sign_final(where, replace(turn_review, edits=own), final)
    if where.state.phase is Phase.DONE:
        end = {"end": "finished", "left_out": list(where.state.left_out)}
    else:
        turns.end_turn(where, name, "hand-off", Edits(), Edits())
        end = {"end": "handed", "holder": where.state.holder}
    return OperationResult(data={**end, **_count_edits(judged)})


def _merge_edits(files: Edits, own: Edits) -> Edits:
    """What stands in the files and what is said now, as one turn."""
    # Files first: their lines came before, and a duplicate is told at the place that was said later.
    return Edits(
        files.words + own.words,
        files.marks + own.marks,
        files.issues + own.issues,
        files.flaws,
        files.remarks,
        files.blank,
        files.accepts + own.accepts,
    )


def _count_edits(edits: Edits) -> dict[str, int]:
    offers = sum(words.offer for words in edits.words)
    return {
        "accepted": len(edits.accepts),
        "offered": offers,
        "said": len(edits.words) - offers,
        "filed": len(edits.issues),
        "escalated": len(edits.marks),
    }
