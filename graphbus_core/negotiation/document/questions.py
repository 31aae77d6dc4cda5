"""What participants are asked in a document negotiation, and whether what they answer is an answer.

The asks: `draft_issues` and `analysis` (before the first turn), `turn`, `build_final_ask`, `build_ruling_ask`. `about`
carries
all that `check` refers to: it holds the state as the asked agent may see it, and the rules are asked about that.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

from graphbus_core.negotiation.core import Ask, Json
from graphbus_core.negotiation.document import agreement, rules, signing, validation
from graphbus_core.negotiation.document.events import FinalDrafted, TurnTaken
from graphbus_core.negotiation.document.fates import Fate, judge_fates
from graphbus_core.negotiation.document.final_document import compose_document
from graphbus_core.negotiation.document.model import (
    FINAL,
    Accept,
    Edits,
    Mark,
    NewIssue,
    Phase,
    Settings,
    Status,
    Words,
)
from graphbus_core.negotiation.document.state import Issue, IssueEntry, State
from graphbus_core.negotiation.document.text.same_text import is_same_text

MAX_DRAFTED = 50  # issues of one agent in one answer
# Less, and issues that only share their subject become one; more, and the same question is argued twice.
SAME_ISSUE = 0.6  # share of words in common from which two drafted issues are one


def build_analysis_ask(state: State, name: str) -> Ask:
    """Read the sources alone and say which issues they raise."""
    kind = "analysis" if state.settings.rigorous else "draft_issues"
    about = {
        **_build_common_fields(state, name),
        "issues": [{"title": i.title, "text": i.text} for i in state.issues.values()],
        "limits": {"issues": MAX_DRAFTED},
    }
    return Ask(f"{kind}-{name}", name, kind, about, within_s=state.settings.turn_timeout_s)


def build_turn_ask(state: State) -> Ask:
    """Take a turn: a word on every open issue, then agree, escalate or hand over."""
    about = {
        **_build_common_fields(state, state.holder),
        "turn": state.turn,
        "nth": state.turns.get(state.holder, 0) + 1,
        "settings": state.settings.to_dict(),
        "turns": dict(state.turns),
        "issues": [_describe_issue(state, issue) for issue in state.issues.values()],
        "may_file": not validation.check_filing(state, state.holder),
        "limits": {"issues": MAX_DRAFTED},
    }
    return Ask(f"turn-{state.turn}", state.holder, "turn", about, within_s=state.settings.turn_timeout_s)


def build_final_ask(state: State) -> Ask:
    """Everything is settled: write the document, or accept the one that lies there by its hash."""
    about = {
        **_build_common_fields(state, state.holder),
        "turn": state.turn,
        "issues": [_describe_issue(state, issue) for issue in state.issues.values()],
        "decisions": [
            {"issue": i.stem, "title": i.title, "text": i.decision}
            for i in state.issues.values()
            if i.status is Status.AGREED
        ],
        "unresolved": [
            {"issue": i.stem, "title": i.title, "text": i.decision}
            for i in state.issues.values()
            if i.status is Status.ESCALATE
        ],
        "draft": state.draft if state.draft_hash else compose_document(state),
        "hash": state.draft_hash,
        "signed": list(state.signed),
        "left_out": [f"{fate.statement.place}: {fate.statement.text}" for fate in _judge_draft(state)],
        "may_write": state.drafts.get(state.holder, 0) < state.settings.max_rounds,
    }
    return Ask(f"final-{state.turn}", state.holder, "write_final", about, within_s=state.settings.turn_timeout_s)


def _judge_draft(state: State) -> list[Fate]:
    return judge_fates(state, state.draft).left_out if state.draft_hash else []


def build_ruling_ask(state: State, issue: Issue) -> Ask:
    """Decide what the agents could not. A person has no deadline."""
    about = {
        "topic": state.topic,
        "issue": _describe_issue(state, issue),
        "agents": list(state.agents),
    }
    judge = state.settings.judge
    within = None if judge == "human" else state.settings.turn_timeout_s
    # The turn of the mark and the count of reopenings: the same issue escalated anew is another question, and an old
    # answer must not be taken for it.
    return Ask(f"ruling-{issue.stem}-{issue.marked_turn}-{state.reopened}", judge, "rule_issue", about, within_s=within)


def _build_common_fields(state: State, name: str) -> dict[str, Any]:
    return {"agent": name, "topic": state.topic, "sources": dict(state.sources), "agents": list(state.agents)}


def _describe_issue(state: State, issue: Issue) -> dict[str, Any]:
    # Whoever holds the turn: what an issue looks like to them is in it.
    who = state.holder
    return {
        "issue": issue.stem,
        "title": issue.title,
        "text": issue.text,
        "by": issue.by,
        "turn": issue.turn,
        "status": str(issue.status),
        "decision": issue.decision,
        "marked_by": issue.marked_by,
        "stands": issue.stands,
        "ruled": issue.ruled,
        "rounds": dict(issue.rounds),
        "excused": sorted(issue.excused),
        "entries": [
            {
                "by": e.by,
                "kind": e.kind,
                "round": e.number,
                "text": e.text,
                "turn": e.turn,
                **({"offer": True} if e.offer else {}),
            }
            for e in issue.entries
        ],
        "offers": [{"hash": d, "by": e.by, "text": e.text} for d, e in agreement.collect_offers(issue).items()],
        "accepted": {name: list(acceptance) for name, acceptance in issue.accepted.items()},
        "skips": dict(issue.skips),
        "last_offer": [issue.last_offer_by, issue.last_offer_turn],
        # Only where there are some: prompts of the common case stay byte for byte the same, which caches of models
        # rely on.
        **({"remarks": list(issue.remarks)} if issue.remarks else {}),
        "you_owe_a_word": bool(who) and rules.owes_word(state, issue, who) and not state.has_written_now(issue, who),
        "your_round": state.count_rounds(issue, who) + 1,
        "your_last_round": issue.is_open and agreement.is_last_round(state, issue, who),
        "you_may_agree": bool(issue.authors - {who}) and not issue.is_settled,
    }


# The check must not need the log: a participant elsewhere judges its answer with what it was asked.
def restore_state(about: Json) -> State:
    """The state that a `turn` ask carries, as far as the rules need it."""
    state = State(
        Settings.from_dict(about["settings"]),
        Phase.POSITIONS,
        list(about["agents"]),
        topic=about["topic"],
        turn=about["turn"],
        holder=about["agent"],
        turns=dict(about["turns"]),
    )
    for data in about["issues"]:
        issue = restore_issue(data)
        state.issues[issue.stem] = issue
    return state


def restore_issue(data: Json) -> Issue:
    """One issue of an ask."""
    return Issue(
        data["issue"],
        data["title"],
        data["text"],
        data["by"],
        data["turn"],
        Status(data["status"]),
        data["decision"],
        data["marked_by"],
        stands=data["stands"],
        ruled=data["ruled"],
        entries=[
            IssueEntry(e["by"], e["kind"], e["round"], e["text"], e["turn"], bool(e.get("offer")))
            for e in data["entries"]
        ],
        rounds=dict(data["rounds"]),
        excused=set(data["excused"]),
        authors={e["by"] for e in data["entries"] if e["kind"] == "position"},
        accepted={name: (acceptance[0], acceptance[1]) for name, acceptance in data.get("accepted", {}).items()},
        skips=dict(data.get("skips", {})),
        last_offer_by=data.get("last_offer", ["", 0])[0],
        last_offer_turn=data.get("last_offer", ["", 0])[1],
    )


def check_answer(ask: Ask, body: Json) -> str | None:
    """Why `body` is not an answer to `ask`, with every reason at once; None if it is one."""
    try:
        match ask.kind:
            case "draft_issues" | "analysis":
                return _check_analysis(ask, body)
            case "turn":
                state = restore_state(ask.about)
                reasons = rules.check_hand_off(state, ask.to, parse_edits(state, body))
                # As the hand-off will judge it, so that an answer that passes here is not refused there.
                return "\n".join(map(str, reasons)) or None
            case "write_final":
                return _check_final(ask, body)
            case "rule_issue":
                return None if _read_text(body, "decision").strip() else "`decision` is empty; say what is decided."
    except (ValueError, TypeError, KeyError, AttributeError) as e:
        return str(e).strip("'\"") or type(e).__name__
    return f"there is no question of the kind {ask.kind!r}"


def _check_analysis(ask: Ask, body: Json) -> str | None:
    drafted = parse_drafted_issues(body)
    if ask.kind == "analysis" and not _read_text(body, "analysis").strip():
        return "`analysis` is empty; say what the sources agree and disagree on."
    if len(drafted) > MAX_DRAFTED:
        return f"{len(drafted)} issues are more than {MAX_DRAFTED}; file those that matter most."
    return None


def _check_final(ask: Ask, body: Json) -> str | None:
    about, final = ask.about, _read_text(body, "final")
    if digest := _read_text(body, "accept").strip():
        mine = f"`accept` names {digest}; what lies there has the hash {about.get('hash') or '(none)'}."
        return None if digest == about.get("hash") else f"{mine} Accept that, or write the whole document in `final`."
    if not final.strip():
        return "`final` is empty; write the whole document, or accept the one that lies there: `accept` with its hash."
    if not about.get("may_write", True) and not is_same_text(final, str(about["draft"])):
        return f"You wrote as many documents as there are rounds: accept {about['hash']}."
    return None


def list_left_out(body: Json) -> tuple[str, ...]:
    """The points that a final answer leaves out on purpose, each with its reason."""
    return tuple(f"{_read_text(item, 'point')} ({_read_text(item, 'why')})" for item in _read_list(body, "left_out"))


def parse_final(state: State, body: Json, how: str) -> TurnTaken | FinalDrafted:
    """What an answer to `write_final` is: the acceptance of the document that lies there, or another."""
    final = f"{_read_text(body, 'final').rstrip()}\n"
    accepted = state.draft_hash and (_read_text(body, "accept").strip() or is_same_text(final, state.draft))
    if accepted:
        signature = Accept(FINAL, state.draft_hash)
        return TurnTaken(state.holder, state.turn, how, accepts=(signature.to_dict(),))
    digest = signing.compute_final_hash(state, final)
    return FinalDrafted(state.holder, state.turn, digest, final, list_left_out(body), how)


def parse_edits(state: State, body: Json) -> Edits:
    """What a `turn` answer does. Raises ValueError where it has not the form of one."""
    new = number_issues(state.issues, parse_drafted_issues(body))
    new_words = []
    for key, kind in (("positions", "position"), ("challenges", "challenge"), ("offers", "position")):
        # Rounds are counted here. A model that numbers its own entries could skip one.
        for item in _read_list(body, key):
            stem = _read_text(item, "issue")
            issue = state.issues.get(stem)
            number = state.count_rounds(issue, state.holder) + 1 if issue else 1
            new_words.append(Words(stem, _read_text(item, "text"), kind, number, offer=key == "offers"))
    accepts = tuple(
        Accept(_read_text(item, "issue"), _read_text(item, "hash").strip()) for item in _read_list(body, "accepts")
    )
    marks = tuple(
        Mark(_read_text(item, "issue"), _read_text(item, "status").strip().upper(), _read_text(item, "text"))
        for item in _read_list(body, "marks")
    )
    return Edits(tuple(new_words), marks, tuple(new), accepts=accepts)


def parse_drafted_issues(body: Json) -> list[tuple[str, str, str]]:
    """(topic, title, text) of every issue in an answer. Raises ValueError where one has not the form of an issue."""
    issues = []
    for item in _read_list(body, "issues"):
        title = _read_text(item, "title").strip() or _read_text(item, "topic").strip()
        question = _read_text(item, "question").strip()
        if not title or not question:
            raise ValueError("every issue needs a `title` and a `question`")
        sides = [
            (_read_text(side, "label").strip(), _read_text(side, "text").strip())
            for side in _read_list(item, "positions")
        ]
        title = " ".join(title.split())
        issues.append(
            (
                _read_text(item, "topic") or title,
                title,
                render_issue(title, question, _read_text(item, "context").strip(), sides),
            )
        )
    return issues


def render_issue(title: str, question: str = "", context: str = "", sides: Iterable[tuple[str, str]] = ()) -> str:
    """An issue in the reference's form."""
    sides = list(sides) or [("source-a", ""), ("source-b", "")]
    parts = [f"# Issue: {title}", f"## Question\n{question}".rstrip(), f"## Context\n{context}".rstrip()]
    for letter, (label, text) in zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", sides, strict=False):
        parts.append(f"## Position {letter} ({label or letter})\n{text}".rstrip())
    return "\n\n".join(parts) + "\n"


def number_issues(
    issues: Iterable[str], drafted: Iterable[tuple[str, str, str]], highest_number: int = 0
) -> list[NewIssue]:
    """Give each its number: one after the highest in use, in decimal (08 is eight)."""
    # One after the highest, and not into a gap: a number that was used may be named in somebody's text.
    number = max([highest_number, *(parse_issue_number(stem) for stem in issues)])
    new = []
    for topic, title, text in drafted:
        number += 1
        new.append(NewIssue(f"{number:02d}-{slugify(topic)}", title, text))
    return new


def parse_issue_number(stem: str) -> int:
    """The number that an issue's file name begins with; 0 if it has none."""
    match = re.match(r"[0-9]{1,6}(?![0-9])", stem)
    # Decimal by hand, since 08 would not be an octal number.
    return int(match.group(), 10) if match else 0


def slugify(topic: str) -> str:
    """A topic as a file name: small letters and digits of any script, joined by -."""
    # Normalised: the same letter in two forms would be two file names on one system and one on another.
    folded = unicodedata.normalize("NFC", topic).casefold()
    text = re.sub(r"[\W_]+", "-", folded).strip("-")
    # By bytes, for that is what file systems count.
    while len(text.encode()) > 80:
        text = text[:-1]
    return text.strip("-") or "issue"


def merge_drafts(state: State) -> tuple[tuple[dict[str, Any], ...], tuple[str, ...]]:
    """The drafted issues of all analyses, one of each agent in turn, and the titles that said the same as another.

    Between models it is enough that two mean the same. Of the files that agents wrote only a second copy is dropped:
    the others keep the numbers that the scripts of the later edition give them.
    """
    # One of each agent in turn, so that the first in the list does not fill the table with its issues alone.
    rows = [[(state.seats.get(n), o) for o in state.analyses[n].issues] for n in state.agents if n in state.analyses]
    drafted: list[tuple[str, str, str]] = []
    dropped: list[str] = []
    known_words = [_collect_words(f"{issue.title} {issue.text}") for issue in state.issues.values()]
    for place in range(max(map(len, rows), default=0)):
        for row in rows:
            if place >= len(row):
                continue
            seat, draft_data = row[place]
            # Of files only exact copies are dropped: the scripts in use give the others their numbers.
            words = _collect_words(f"{draft_data['title']} {draft_data['text']}")
            draft_words = words if seat == "model" else frozenset[str]()
            draft = (draft_data["topic"], draft_data["title"], draft_data["text"])
            alike = draft_words and any(
                len(draft_words & other) >= SAME_ISSUE * max(1, len(draft_words | other)) for other in known_words
            )
            if alike or draft in drafted:
                dropped.append(draft_data["title"])
                continue
            if draft_words:
                known_words.append(draft_words)
            drafted.append(draft)
    return tuple(new.to_dict() for new in number_issues(state.issues, drafted)), tuple(dropped)


def _collect_words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]{3,}", text.casefold()))


def _read_list(body: Json, key: str) -> list[Mapping[str, Any]]:
    value = body.get(key) or []
    if not isinstance(value, list | tuple) or not all(isinstance(item, Mapping) for item in value):
        raise ValueError(f"`{key}` must be a list of objects")
    return list(value)


def _read_text(body: Json, key: str) -> str:
    value = body.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ValueError(f"`{key}` must be text")
    return value
