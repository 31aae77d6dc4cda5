"""The table of a team as a protocol of the core: moves in, facts out. Nobody is asked in turn; who has words says them.

Overlaps and broken promises are consequences: they follow from plans and from what was observed and landed, whoever
tells of it. So nobody can forget to raise a question or to say what was not kept, and a replay comes to the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from graphbus_core.errors import IllegalMove
from graphbus_core.negotiation.core import Ask, Event, Json, Result, Wait, Want
from graphbus_core.negotiation.team import events as facts
from graphbus_core.negotiation.team.overlaps import Overlap, build_question, find_overlaps, make_choice
from graphbus_core.negotiation.team.state import Question, State, evolve

MAX_SEATS = 32
MAX_WORDS = 2_000  # characters of one message or offer
MAX_OFFERS = 12  # choices of one question

Reasons = tuple[str, ...]


class TeamProtocol:
    """Pure functions over the log of one team."""

    name = "team"
    events: Mapping[str, type[Event]] = facts.EVENTS

    def open(self, config: None = None) -> State:
        """The state before the first fact, which holds the settings."""
        return State()

    def pending(self, state: State) -> Iterator[Want]:
        """A move of somebody, whenever it comes."""
        if self.outcome(state) is None:
            yield Wait("moves", state.lease_s)

    def check(self, ask: Ask, body: Json) -> str | None:
        """Nobody is asked here."""
        raise IllegalMove(f"{ask.id}: a team has no questions in turn")

    def settle(self, state: State, want: Want, result: Result) -> Event:
        """Nothing is settled but by moves."""
        raise IllegalMove(f"{want.id}: a team has no questions in turn")

    def submit(self, state: State, who: str, move: Json) -> Event:
        """The one fact that a move is; one against the rules is refused with its reasons."""
        kind = str(move["move"])
        taken = _MOVES[kind](state, who, move)
        return taken if isinstance(taken, Event) else facts.TeamMoveRefused(who, kind, taken)

    def advance(self, state: State) -> Event | None:
        """What follows: a promise was broken, two hashes are one, overlaps raise questions or are over."""
        if state.unsaid:
            return state.unsaid[0]
        for question in state.questions.values():
            if question.is_open and len(set(question.accepted.values())) == 1 and len(question.accepted) == 2:
                return facts.QuestionSettled(question.id, next(iter(question.accepted.values())))
        overlaps = list(find_overlaps(state))
        for question in state.questions.values():
            if question.is_open and not any(_is_about(question, overlap) for overlap in overlaps):
                return facts.QuestionClosed(question.id, _explain_closing(state, question))
        for overlap in overlaps:
            if not _is_asked(state, overlap):
                ident, text, choices = build_question(overlap)
                while ident in state.questions:  # the same again, after it was closed
                    ident += "'"
                return facts.QuestionRaised(
                    ident, overlap.seats, overlap.about, overlap.topic, overlap.items, text, choices
                )
        return None

    def evolve(self, state: State, event: Event) -> State:
        """The state after this fact."""
        return evolve(state, event)

    def outcome(self, state: State) -> str | None:
        """How it ended: all seats left. A team that waits for its first seat has not ended."""
        if state.seats and all(seat.status == "left" for seat in state.seats.values()):
            return "everybody left"
        return None


def _is_about(question: Question, overlap: Overlap) -> bool:
    """Whether a question is still about what two seats do at a symbol; more of it makes it another question."""
    return (
        set(question.seats) == set(overlap.seats)
        and question.about == overlap.about
        and set(overlap.items) <= set(question.items)
    )


def _is_asked(state: State, overlap: Overlap) -> bool:
    return any(q.status != "closed" and _is_about(q, overlap) for q in state.questions.values())


def _explain_closing(state: State, question: Question) -> str:
    gone = [name for name in question.seats if not state.seats[name].is_active]
    if gone:
        seat = state.seats[gone[0]]
        return f"{seat.name} has no claims any more ({seat.why or seat.status})"
    landed = [landing for landing in state.landings if landing.seat in question.seats]
    if landed and any(not state.seats[name].list_claims() for name in question.seats):
        return f"{landed[-1].seat} landed"
    return "plans or files moved on"


# ---- moves


def _move_open(state: State, who: str, move: Json) -> Event | Reasons:
    if state.is_open:
        return ("There is a team here already.",)
    return facts.Opened(str(move["base"]), float(move["lease_s"]), tuple(move.get("tasks", ())))


def _move_join(state: State, who: str, move: Json) -> Event | Reasons:
    worktree, branch = str(move["worktree"]), str(move["branch"])
    for seat in state.seats.values():
        if seat.status == "left":
            continue
        if seat.worktree == worktree and seat.name != who:
            return (f"{seat.name} sits on this working tree. Two seats need two: join with --worktree.",)
        if seat.branch == branch and seat.name != who:
            return (f"{seat.name} works on the branch {branch}. Join with --worktree, or switch to your own branch.",)
        if seat.name == who and (seat.worktree, seat.branch) != (worktree, branch):
            return (f"There is a {who} already, on {seat.worktree}. Take another name, or go there.",)
        if seat.name == who:
            return (f"{who} sits here already. `graphbus team turn` says what is new.",)
    if branch == state.base:
        return (
            f"{branch} is what all land on, so nobody works on it. Join with --worktree, or switch to another branch.",
        )
    if len(state.list_active()) >= MAX_SEATS:
        return (f"{MAX_SEATS} seats are taken, which is the most.",)
    return facts.SeatTaken(who, branch, worktree, str(move["start"]))


def _move_leave(state: State, who: str, move: Json) -> Event | Reasons:
    return _check_seat(state, who) or facts.SeatLeft(who, str(move.get("why", "")))


def _move_plan(state: State, who: str, move: Json) -> Event | Reasons:
    if reasons := _check_seat(state, who, lapsed=True):
        return reasons
    return facts.Planned(who, tuple(move["changes"]), dict(move["uses"]))


def _move_observe(state: State, who: str, move: Json) -> Event | Reasons:
    if reasons := _check_seat(state, who):
        return reasons
    note = str(move.get("note", ""))
    return facts.Observed(who, str(move["tip"]), tuple(move["changes"]), dict(move["uses"]), note)


def _move_tell(state: State, who: str, move: Json) -> Event | Reasons:
    to, text = str(move["to"]), str(move["text"]).strip()
    if reasons := _check_seat(state, who, lapsed=True):
        return reasons
    if to and to not in state.seats:
        return (f"There is no seat {to!r}. There are: {', '.join(state.seats)}.",)
    return _check_words(text) or facts.Told(who, to, text)


def _move_offer(state: State, who: str, move: Json) -> Event | Reasons:
    text = str(move["text"]).strip()
    question = _find_question(state, who, str(move["question"]))
    if not isinstance(question, Question):
        return question
    if reasons := _check_words(text):
        return reasons
    if len(question.choices) >= MAX_OFFERS:
        return (f"{question.id} has {MAX_OFFERS} choices. Accept one of them.",)
    effect = {"first": str(move["first"])} if move.get("first") in question.seats else {}
    content = "\n".join(question.items)
    return facts.ChoiceOffered(who, question.id, make_choice(question.id, content, text, effect))


def _move_accept(state: State, who: str, move: Json) -> Event | Reasons:
    question = _find_question(state, who, str(move["question"]))
    if not isinstance(question, Question):
        return question
    given = str(move["hash"])
    matching = [digest for digest in question.choices if given and digest.startswith(given)]
    if len(matching) != 1:
        return (f"{question.id} has no choice {given!r}. It has: {', '.join(question.choices)}.",)
    if question.status == "settled":
        if question.settled == matching[0]:
            return (f"{question.id} is settled so already.",)
        return (f"{question.id} is settled: {question.decision['text']}. `@offer` something else to open it again.",)
    if why := explain_impossible(state, question, question.choices[matching[0]]):
        return (f"{matching[0]} cannot be: {why}. Accept another, or open that one again with `@offer`.",)
    return facts.ChoiceAccepted(who, question.id, matching[0])


def _move_land(state: State, who: str, move: Json) -> Event | Reasons:
    if reasons := _check_seat(state, who, lapsed=True):
        return reasons
    return facts.Landed(who, str(move["commit"]), str(move["tip"]), tuple(move["changes"]))


def _move_lapse(state: State, who: str, move: Json) -> Event | Reasons:
    return _check_seat(state, who) or facts.Lapsed(who, str(move["why"]))


def _move_sync(state: State, who: str, move: Json) -> Event | Reasons:
    return _check_seat(state, who, lapsed=True) or facts.Synced(who, str(move["tip"]), str(move["base"]))


def _check_seat(state: State, who: str, *, lapsed: bool = False) -> Reasons:
    seat = state.seats.get(who)
    if seat is None or seat.status == "left":
        return (f"{who} has no seat here. `graphbus team join {who} --worktree` takes one.",)
    if seat.status == "lapsed" and not lapsed:
        return (f"{who} has no claims any more: {seat.why}. Say your plan again.",)
    return ()


def _check_words(text: str) -> Reasons:
    if not text:
        return ("Nothing is said. Write the words in the lines below.",)
    return (f"That is longer than {MAX_WORDS} characters. Say it shorter.",) if len(text) > MAX_WORDS else ()


def _find_question(state: State, who: str, ident: str) -> Question | Reasons:
    if reasons := _check_seat(state, who):
        return reasons
    question = state.questions.get(ident)
    mine = [q.id for q in state.questions.values() if who in q.seats and q.status != "closed"]
    if question is None or who not in question.seats:
        return (f"There is no question {ident!r} for {who}. There are: {', '.join(mine) or 'none'}.",)
    if question.status == "closed":
        return (f"{ident} is closed: {question.why}.",)
    return question


_MOVES: Mapping[str, Callable[[State, str, Json], Event | Reasons]] = {
    "open": _move_open,
    "join": _move_join,
    "leave": _move_leave,
    "plan": _move_plan,
    "observe": _move_observe,
    "tell": _move_tell,
    "offer": _move_offer,
    "accept": _move_accept,
    "land": _move_land,
    "lapse": _move_lapse,
    "sync": _move_sync,
}


# ---- what a landing must hold


def explain_impossible(state: State, question: Question, choice: Mapping[str, Any]) -> str:
    """Why a choice cannot be settled: with it, seats would wait for each other in a circle; "" where it can."""
    first = choice.get("effect", {}).get("first", "")
    if not first:
        return ""
    waiting, seen = [question.find_other(first)], set[str]()
    while waiting:
        name = waiting.pop()
        for other in state.questions.values():
            if other.id != question.id and other.status == "settled" and is_awaited(state, other, name):
                if other.find_other(name) == first:
                    return f"{first} waits for {name} by {other.id}"
                if other.find_other(name) not in seen:
                    seen.add(other.find_other(name))
                    waiting.append(other.find_other(name))
    return ""


def is_awaited(state: State, question: Question, name: str) -> bool:
    """Whether a seat has still to land before the other may, by what both settled."""
    seat = state.seats[name]
    has_to = seat.is_active and seat.landings == question.landings.get(name) and bool(seat.list_claims())
    return has_to and question.decision.get("effect", {}).get("first") == name


def find_landing_obstacles(state: State, who: str) -> list[str]:
    """Why a seat may not land now: open questions, and what it settled with others, each with what to do."""
    obstacles = list(_check_seat(state, who))
    for question in state.list_questions(who):
        if state.seats[question.find_other(who)].is_active:
            mine = "you have accepted; it waits for the other" if who in question.accepted else "you have not answered"
            obstacles.append(f"{question.id} with {question.find_other(who)} is open ({mine}): {question.text}")
    for question in state.list_questions(who, is_open=False):
        obstacles += _check_decision(state, who, question)
    return obstacles


def _check_decision(state: State, who: str, question: Question) -> Iterator[str]:
    other = state.seats[question.find_other(who)]
    effect = question.decision.get("effect", {})
    again = f"To settle it otherwise: `@offer {question.id}`"
    if is_awaited(state, question, other.name):
        yield f"{question.id}: you settled that {other.name} lands first ({question.about}). {again}."
    if effect.get("owner") == other.name:
        mine = [c for c in state.seats[who].observed if c.symbol == question.about]
        if mine:
            yield (
                f"{question.id}: you settled that {other.name} does {question.about}, and your branch changes it "
                f"({mine[0].describe()}). Take that out. {again}."
            )
