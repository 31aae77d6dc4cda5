"""A team of coding agents, as front ends ask for it: start, join, turn, say, plan, land, sync. Plain data."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from graphbus_core.commit.landing.land import LandingRequest
from graphbus_core.errors import UsageError
from graphbus_core.negotiation.team.plan import Change
from graphbus_core.negotiation.team.protocol import explain_impossible, find_landing_obstacles
from graphbus_core.negotiation.team.state import Question, Seat, State
from graphbus_core.services.landing import TIMEOUT_S, find_contract_faults
from graphbus_core.sessions.team import seating, turns
from graphbus_core.sessions.team.landing import TeamLander
from graphbus_core.sessions.team.sync import WorktreeSync
from graphbus_core.sessions.team.table import LEASE_S, TeamTable
from graphbus_core.sessions.team.usage import Place

Json = dict[str, Any]
Clock = Callable[[], float]


def start(
    folder: Path,
    tasks: Sequence[Path] = (),
    *,
    texts: Mapping[str, str] | None = None,
    onto: str | None = None,
    lease_s: float = LEASE_S,
    clock: Clock = time.time,
) -> Json:
    """Begin a team; the tasks are files, or `texts` by their names. Raises UsageError."""
    texts = dict(texts or {})
    for path in tasks:
        try:
            texts[path.stem] = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as e:
            raise UsageError(f"The task {path} cannot be read: {getattr(e, 'strerror', None) or e}.") from None
    table = TeamTable(folder, clock)
    state = seating.start_team(table, texts, onto, lease_s)
    return {"base": state.base, "lease_s": state.lease_s, "tasks": list(texts), "log": str(table.log_path)}


def end(folder: Path) -> Json:
    """Put a team aside. Raises UsageError where there is none."""
    return {"log": str(seating.end_team(TeamTable(folder)))}


def join(folder: Path, name: str, *, worktree: str | None = None, clock: Clock = time.time) -> Json:
    """Take a seat. Raises UsageError."""
    branch, where = seating.take_seat(TeamTable(folder, clock), name, worktree)
    return {"seat": name, "branch": branch, "worktree": where}


def turn(folder: Path, name: str = "", *, everything: bool = False, clock: Clock = time.time) -> Json:
    """What a seat is told: what is new, what it is asked, what comes next. Raises UsageError."""
    table = TeamTable(folder, clock)
    with table.hold() as state:
        seat = table.find_seat(state, name)
        table.refresh(state, seat.name)
        mark = table.read_mark(seat.name)
        after = 0 if everything else mark.facts
        news = table.list_facts(seat.name, after)
        text = turns.render_turn(state, seat, news, first=after == 0, whole=everything)
        table.write_mark(seat.name, facts=table.count_facts())
        return {**_describe_seat(state, seat), "text": text}


def plan(folder: Path, text: str, name: str = "", *, clock: Clock = time.time) -> Json:
    """Take a seat's plan, and say who uses what it changes, what breaks, and who else is there. Raises UsageError."""
    table = TeamTable(folder, clock)
    changes = turns.parse_plan_or_raise(text)
    with table.hold() as state:
        seat = table.find_seat(state, name)
        table.refresh(state, seat.name)
        answers = table.plan(state, seat, changes)
        answer = turns.render_answer(answers, state, seat)
        return {**_describe_seat(state, seat), "changes": [_describe_answer(a) for a in answers], "text": answer}


def say(folder: Path, text: str, name: str = "", *, clock: Clock = time.time) -> Json:
    """Say a whole turn: all of it is taken, or nothing. Raises UsageError with every reason."""
    said = turns.parse_words(text)
    if said.faults:
        raise UsageError("Nothing was taken. " + " ".join(said.faults))
    table = TeamTable(folder, clock)
    with table.hold() as state:
        seat = table.find_seat(state, name)
        table.refresh(state, seat.name)
        _check_words(table, state, seat, said)
        answers: list[tuple[Change, list[Place]]] = []
        for part in said.parts:
            if part.kind == "plan":
                answers += table.plan(state, seat, turns.parse_plan_or_raise(part.text))
            else:
                _say_part(table, seat, part)
        answer = turns.render_answer(answers, state, seat) if answers else _describe_next(state, seat)
        return {**_describe_seat(state, seat), "changes": [_describe_answer(a) for a in answers], "text": answer}


def _say_part(table: TeamTable, seat: Seat, part: turns.Directive) -> None:
    match part.kind:
        case "accept":
            table.submit(seat.name, "accept", question=part.words[0], hash=part.words[1])
        case "offer":
            first = part.words[2] if part.words[1:2] == ["first"] and len(part.words) > 2 else ""
            table.submit(seat.name, "offer", question=part.words[0], text=part.text, first=first)
        case "tell":
            table.submit(seat.name, "tell", to="" if part.words[0] == "all" else part.words[0], text=part.text)
        case "leave":
            table.submit(seat.name, "leave", why=part.text)


def _check_words(table: TeamTable, state: State, seat: Seat, said: turns.Said) -> None:
    """Find what would be refused before anything is taken. Raises UsageError."""
    reasons = [reason for part in said.parts for reason in table.check(seat.name, part.kind, part.words, part.text)]
    if reasons:
        raise UsageError("Nothing was taken. " + " ".join(dict.fromkeys(reasons)))


def land(
    folder: Path,
    name: str = "",
    *,
    verify: str | None = "auto",
    dry_run: bool = False,
    timeout_s: float = TIMEOUT_S,
    report: Callable[[str], None] = lambda text: None,
    stop: threading.Event | None = None,
    clock: Clock = time.time,
) -> Json:
    """Land a seat's branch. Raises UsageError where something is open, Locked."""
    table = TeamTable(folder, clock)
    seat = table.find_seat(table.read_state(), name)
    # Seats land when they are done, and that may be at once: the second waits for its turn.
    request = LandingRequest((seat.branch,), None, verify, dry_run, timeout_s=timeout_s, wait_s=timeout_s)
    lander = TeamLander(table, seat, request, report, find_contract_faults, stop)
    landing = lander.land()
    return {"seat": seat.name, "landing": {**landing.to_dict(), "good": landing.is_good}, "notes": lander.notes}


def sync(folder: Path, name: str = "", *, clock: Clock = time.time) -> Json:
    """Bring a seat's branch up to date, with nothing lost. Raises UsageError, LogDamaged."""
    table = TeamTable(folder, clock)
    with table.hold() as state:
        seat = table.find_seat(state, name)
        result = WorktreeSync(table, seat, state.base).run()
        table.refresh(state, seat.name)
    return {"seat": seat.name, **result.__dict__, "conflicts": list(result.conflicts)}


def look(folder: Path, name: str, *, clock: Clock = time.time) -> Json:
    """What a seat is asked, with nothing marked as read. Raises UsageError where there is no such seat."""
    table = TeamTable(folder, clock)
    with table.hold() as state:
        seat = table.find_seat(state, name)
        table.refresh(state, seat.name)
        return _describe_seat(state, seat)


def show_status(folder: Path, *, clock: Clock = time.time) -> Json:
    """Who works on what, what overlaps, what landed. Raises UsageError where there is no team."""
    table = TeamTable(folder, clock)
    with table.hold() as state:
        table.refresh(state)
        return describe_team(state)


def describe_team(state: State) -> Json:
    """A team as plain data."""
    return {
        "base": state.base,
        "lease_s": state.lease_s,
        "tasks": [task["name"] for task in state.tasks],
        "seats": [{**_describe_seat(state, seat), "claims": [c.render() for c in seat.list_claims()]}
                  for seat in state.seats.values()],
        "questions": [_describe_question(state, question) for question in state.questions.values()],
        "landings": [
            {"seat": entry.seat, "commit": entry.commit, "changes": [c.render() for c in entry.changes]}
            for entry in state.landings
        ],
        "broken": [{"seat": b.seat, "to": list(b.to), "promise": b.promise} for b in state.broken],
    }  # fmt: skip


def _describe_seat(state: State, seat: Seat) -> Json:
    return {
        "seat": seat.name,
        "status": seat.status,
        "branch": seat.branch,
        "worktree": seat.worktree,
        "note": seat.note or seat.why,
        "asked": [_describe_question(state, q) for q in state.list_questions(seat.name)],
        "obstacles": find_landing_obstacles(state, seat.name),
    }


def _describe_question(state: State, question: Question) -> Json:
    return {
        "id": question.id,
        "seats": list(question.seats),
        "about": question.about,
        "topic": question.topic,
        "text": question.text,
        "status": question.status,
        "choices": [
            {"hash": h, "text": c["text"], "impossible": explain_impossible(state, question, c)}
            for h, c in question.choices.items()
        ],
        "accepted": dict(question.accepted),
        "settled": question.settled,
        "why": question.why,
    }


def _describe_answer(answer: tuple[Change, list[Place]]) -> Json:
    change, places = answer
    uses = [{"symbol": p.symbol, "place": str(p), "how": p.how} for p in places]
    return {"change": change.render(), "place": change.place, "breaks": list(change.breaks), "uses": uses}


def _describe_next(state: State, seat: Seat) -> str:
    waiting = state.list_questions(seat.name)
    if waiting:
        return "Taken. Still open: " + ", ".join(q.id for q in waiting) + "."
    return "Taken. Nothing is open with anybody."
