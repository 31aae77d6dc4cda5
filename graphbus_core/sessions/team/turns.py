"""A turn at the table of a team: what a seat is told, and what it says, each as one text.

@plan                     the whole plan, one change a line below; it replaces what was said before
@accept QUESTION HASH     a choice, by its hash
@offer QUESTION           another choice, in words, in the lines below
@tell SEAT                words to one seat, or to `all`, in the lines below
@leave                    give the seat up
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from graphbus_core.negotiation.core import Event
from graphbus_core.negotiation.team import events as facts
from graphbus_core.negotiation.team.plan import FORM as PLAN_FORM, Change, parse_plan, read_changes
from graphbus_core.negotiation.team.protocol import explain_impossible, find_landing_obstacles
from graphbus_core.negotiation.team.state import Landing, Question, Seat, State
from graphbus_core.sessions.team.usage import Place
from graphbus_core.text import shorten

KINDS = ("plan", "accept", "offer", "tell", "leave")
FORM = "\n".join(line.removeprefix("    ") for line in (__doc__ or "").splitlines() if line.startswith("    @"))
MAX_SHOWN = 6  # changes of one seat, or uses of one symbol, that a turn names
MAX_TURN = 1_450  # characters of a turn, beside what two have to settle and what stands before a landing
MAX_ANSWER = 1_300  # characters of who uses what a plan changes
LEAST = 80  # characters of a line that are shown at least, or the line is left out
_DIRECTIVE = re.compile(rf"@({'|'.join(KINDS)})\b[ \t]*(.*)")


@dataclass
class Directive:
    """One part of what was said."""

    kind: str
    words: list[str]
    line: int
    text: str = ""


@dataclass
class Said:
    """What was said, and what of it could not be read."""

    parts: list[Directive] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def parse_words(text: str) -> Said:
    """The parts of what a seat says."""
    said = Said()
    body: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        match = _DIRECTIVE.fullmatch(line.strip()) if line.startswith("@") else None
        if match is not None:
            _close(said, body)
            said.parts.append(Directive(match[1], match[2].split(), number))
            body = []
        elif line.startswith("@"):
            said.faults.append(f"line {number}: {line.split()[0]} is not a directive. There are @{', @'.join(KINDS)}.")
        elif not said.parts and line.strip():
            said.faults.append(f"line {number}: these words belong to no directive. Begin with `@plan` or `@tell all`.")
        else:
            body.append(line)
    _close(said, body)
    counts = {"accept": 2, "offer": 1, "tell": 1}
    for part in said.parts:
        if len(part.words) < counts.get(part.kind, 0):
            said.faults.append(
                f"line {part.line}: @{part.kind} needs {'QUESTION HASH' if part.kind == 'accept' else 'a name'}."
            )
    if not said.parts and not said.faults:
        said.faults.append("Nothing is said. " + FORM)
    return said


def _close(said: Said, body: Sequence[str]) -> None:
    if said.parts:
        said.parts[-1].text = "\n".join(body).strip()


def parse_plan_or_raise(text: str) -> list[Change]:
    """The changes of a plan. Raises UsageError with each line that cannot be read."""
    from graphbus_core.errors import UsageError

    changes, faults = parse_plan(text)
    if faults:
        raise UsageError("Nothing of this plan was taken. " + " ".join(map(str, faults)) + f"\n{PLAN_FORM}")
    return changes


# ---- what is told


def render_turn(state: State, seat: Seat, news: Sequence[Event], *, first: bool, whole: bool = False) -> str:
    """What is new for a seat, what it is asked, and what it may do next. `whole`: nothing of it is cut."""
    head = [f"You are {seat.name}, on {seat.branch}; all land on {state.base}."]
    if not seat.is_active:
        head.append(f"You have no claims any more: {seat.why}. `@plan` takes them up again.")
    rest = [line for event in news for line in _render_news(state, seat, event, first)]
    if first:
        rest += [f"Task {task['name']}: {task['text'].strip()}" for task in state.tasks]
        rest += [line for s in state.list_active() if s.name != seat.name for line in _render_claims(s)]
    rest += [line for event in news for line in _render_others(seat, event, first)]
    asked = [line for q in state.list_questions(seat.name) for line in _render_question(state, q, seat.name)]
    follows = [*_render_next(state, seat)]
    if not whole:
        waiting = find_landing_obstacles(state, seat.name)
        budget = MAX_TURN - sum(map(len, [*head, *([] if waiting else follows)]))
        rest = _fit(rest, budget, "`graphbus team turn --all` shows all of it.")
    return "\n".join([*head, *rest, *asked, *follows])


def _render_claims(seat: Seat) -> Iterator[str]:
    claims = [change.render() for change in seat.list_claims()]
    if claims:
        yield f"{seat.name} changes: {_join_some(claims)}"


def _render_news(state: State, seat: Seat, event: Event, first: bool) -> Iterator[str]:
    who = getattr(event, "seat", "")
    match event:
        case facts.Told() if who != seat.name:
            yield f"{who} tells {'you' if event.to else 'all'}: {event.text}"
        case facts.Landed() if who != seat.name:
            landing = next((entry for entry in state.landings if entry.commit == event.commit), None)
            if landing is not None:
                yield from render_moved(seat, landing)
        case facts.PromiseBroken() if who != seat.name:
            yield f"{who} {_name_end(state, who)} without what it had said: {event.promise}"
        case facts.QuestionSettled():
            question = state.questions[event.question]
            yield f"{question.id} is settled: {question.choices[event.hash]['text']}."
        case facts.QuestionClosed() if not first:
            yield f"{event.question} is closed: {event.why}."
        case facts.Observed() if who != seat.name and event.note:
            yield f"{who}: {event.note}."


def _name_end(state: State, who: str) -> str:
    return "left" if state.seats[who].status == "left" else "landed"


def _render_others(seat: Seat, event: Event, first: bool) -> Iterator[str]:
    """What others do that need not concern this seat; where it does, a question says so."""
    if first or getattr(event, "seat", "") == seat.name:
        return
    match event:
        case facts.Planned():
            yield f"{event.seat} plans: {_join_some([c.render() for c in read_changes(event.changes)]) or 'nothing'}"
        case facts.SeatTaken():
            yield f"{event.seat} sat down, on {event.branch}."
        case facts.SeatLeft() | facts.Lapsed():
            yield f"{event.seat} has no claims any more{': ' + event.why if event.why else ''}."


def _fit(lines: Sequence[str], budget: int, remark: str) -> list[str]:
    """As many lines as fit, long ones cut so that short ones stay whole; then the remark that says how to have all."""
    if sum(len(line) + 1 for line in lines) <= budget:
        return list(lines)
    left = budget - len(remark) - 1
    kept = list(lines[: max(1, left // LEAST)])
    most = max(map(len, kept))
    while most > LEAST and sum(min(len(line), most) + 1 for line in kept) > left:
        most -= 10
    return [*(shorten(line, max(most, LEAST)) for line in kept), remark]


def render_moved(seat: Seat, landing: Landing) -> Iterator[str]:
    """What a landing moved under a seat."""
    yield f"{landing.seat} landed {landing.commit[:10]}: {_join_some([c.render() for c in landing.changes]) or 'files'}"
    touched = {change.symbol for change in seat.list_claims()}
    under = [c for c in landing.changes if c.symbol in touched or (c.is_contract and seat.find_use(c.symbol))]
    for change in under[:MAX_SHOWN]:
        where = seat.find_use(change.symbol)
        yield f"  moved under you: {change.render()}" + (f" (you rely on it: {where})" if where else "")
    if under:
        yield "  `graphbus team sync` brings it in."


def _render_question(state: State, question: Question, name: str) -> Iterator[str]:
    other = question.find_other(name)
    yield f"Question {question.id} to you and {other}: {question.text}"
    for digest, choice in question.choices.items():
        if explain_impossible(state, question, choice):
            continue
        by = [who for who, accepted in question.accepted.items() if accepted == digest]
        yield f"  {digest} {choice['text']}" + (f" (accepted by {', '.join(by)})" if by else "")
    if name in question.accepted:
        yield f"  You have accepted {question.accepted[name]}; {other} has not."
    else:
        yield f"  `@accept {question.id} HASH`, or `@offer {question.id}` with your words below."


def _render_next(state: State, seat: Seat) -> Iterator[str]:
    obstacles = find_landing_obstacles(state, seat.name)
    waits = [o for o in obstacles if o.split(" ")[0].rstrip(":") not in {q.id for q in state.list_questions(seat.name)}]
    for obstacle in waits:
        yield f"Before you land: {obstacle}"
    if not seat.planned and seat.is_active:
        yield f"Say your plan (`graphbus team plan`), one change a line:\n{PLAN_FORM}"
    elif not obstacles:
        yield "Nothing is contested. Work, commit, then `graphbus team land`."


def render_answer(answers: Sequence[tuple[Change, Sequence[Place]]], state: State, seat: Seat) -> str:
    """What the engine knows of a plan: who uses each symbol, what breaks, who else is there."""
    lines = []
    for change, places in answers:
        lines.append(change.render() + (f" ({change.place})" if change.place else ""))
        broken = {entry["place"] for entry in change.breaks}
        for entry in change.breaks[:MAX_SHOWN]:
            payload = f" Given {entry['payload']}" if entry.get("payload") else ""
            where = entry["symbol"].rpartition("::")[2]
            lines.append(f"  breaks at {entry['place']}{f' ({where})' if where else ''}: {entry['why']}.{payload}")
        rest = [str(place) for place in places if str(place) not in broken]
        if rest:
            lines.append(f"  used at {_join_some(rest)}")
    lines = _fit(lines, MAX_ANSWER, "The same plan with `--json` shows all of it.")
    asked = [line for q in state.list_questions(seat.name) for line in _render_question(state, q, seat.name)]
    if not answers:
        return "Your plan is empty now. You claim nothing but what your files show."
    alone = "Nobody else touches it." if len(state.list_active()) > 1 else "You are alone here so far."
    return "\n".join([*lines, *(asked or [alone])])


def _join_some(texts: Sequence[str]) -> str:
    more = f"; and {len(texts) - MAX_SHOWN} more" if len(texts) > MAX_SHOWN else ""
    return "; ".join(texts[:MAX_SHOWN]) + more
