"""Seat links: a key for each person of a run, what its holder sees, and how its answers are taken.

A seat's holder sees its questions, and how the negotiation stands. It is shown no answer of anybody, not even of its
own seat. The links as they are sent stand in the run's folder, for its owner alone; who operates the machine can read
everything. What a key opens once a link was opened is not known here: whoever serves the links knows it.
"""

from __future__ import annotations

import hmac
import json
import os
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.logs.jsonl import JsonlLog
from graphbus_core.negotiation.consent.elicitation.questions import explain_invalid_response
from graphbus_core.negotiation.consent.events import EVENTS, CheckCalled, Ended, StoodAside
from graphbus_core.negotiation.consent.questions import explain_invalid_answer
from graphbus_core.negotiation.core import Json, Participant
from graphbus_core.participants.people.durable_desk import open_run_desk
from graphbus_core.sessions.consent.files import Run, Runs
from graphbus_core.sessions.consent.preparation import PreparedNegotiation
from graphbus_core.storage.atomic_files import write_atomic, write_new

# Of a question, what its seat is shown. Of what was said, the public words alone: votes of an open check are not in it.
SHOWN = (
    *("topic", "priority", "text", "answers", "red_lines_crossed", "stand_aside"),
    *("given", "issues", "said", "may_check", "may_speak", "why_no_check", "checks_left", "turns", "max_turns"),
)
OF_THE_TABLE = ("position", "turn", "consent")  # judged by the negotiation's rules, the rest by the mediator's
MAX_ANSWER = 100_000  # bytes
PICTURE = "picture.svg"  # in the run's folder, where its scores are disclosed: what the links show at the end


def load_or_create_keys(run: Run, names: Sequence[str] = ()) -> dict[str, str]:
    """The keys of a run by seat; made once for `names`."""
    path = run.folder / "links.json"
    if not path.exists() and names:
        # 24 bytes: nobody guesses it, and it still fits a line of chat, which is how people send links.
        keys = {name: secrets.token_urlsafe(24) for name in names}
        # `write_new` and not a write: two processes that start one run must not hand out two sets of keys.
        write_new(path, json.dumps(keys, ensure_ascii=False).encode(), durable=True)
        os.chmod(path, 0o600)
    try:
        stored_keys = json.loads(path.read_bytes())
    except (OSError, ValueError):
        # A damaged file opens no seat. An error here would tell a stranger that the run exists.
        return {}
    return {str(k): str(v) for k, v in stored_keys.items()} if isinstance(stored_keys, dict) else {}


@dataclass(frozen=True)
class KeyHolder:
    """Who sits where."""

    run: Run
    name: str


def replace_key(run: Run, name: str, key: str) -> None:
    """Another link was made for this seat: it is the one that is sent from now on."""
    path = run.folder / "links.json"
    keys = {**load_or_create_keys(run), name: key}
    write_atomic(path, json.dumps(keys, ensure_ascii=False).encode(), durable=True)
    os.chmod(path, 0o600)


def find_sent_link(project: Path, key: str) -> KeyHolder | None:
    """The seat for which this link was sent, of any run of the project; None for no link."""
    holder = None
    # All runs, because a key names none: a link stays short, and shows nothing of the project.
    for run in Runs(project).list_runs():
        for name, known_key in load_or_create_keys(run).items():
            if hmac.compare_digest(
                known_key.encode(), key.encode(errors="replace")
            ):  # every one is compared: no timing
                holder = KeyHolder(run, name)
    return holder


def describe_seat(seat: KeyHolder) -> dict[str, Any]:
    """What the holder of a key is shown: its open questions, and how the negotiation stands."""
    start = seat.run.read_record()
    questions = []
    for laid in open_run_desk(seat.run.folder).list_open(seat.name):
        about = {k: laid.about[k] for k in SHOWN if k in laid.about}
        # The form is told by its field names alone: the schema of an answer may name what others said.
        form = (laid.about.get("answer") or {}).get("properties", {})
        standing = laid.about.get("proposal") or {}
        questions.append(
            {
                "id": laid.id,
                "kind": laid.kind,
                "form": sorted(form),
                "terms": standing.get("terms"),
                "by": standing.get("by"),
                "objections": standing.get("objections") or {},
                "refused": list(laid.refused),
                **about,
            }
        )
    return {
        "seat": seat.name,
        "run": seat.run.id,
        "questions": questions,
        "ended": start.get("ended"),
        "decision": _read_decision(seat.run),
    }


def read_picture(seat: KeyHolder) -> str | None:
    """The picture of a negotiation that is over, as SVG; None where there is none."""
    with suppress(OSError):
        return (seat.run.folder / PICTURE).read_text(encoding="utf-8")
    return None


def take_answer(seat: KeyHolder, question_id: str, body: Json) -> str | None:
    """Take the seat's answer: why it is not one, or None if it was taken. Raises UsageError for no such question."""
    desk = open_run_desk(seat.run.folder)
    laid = next((q for q in desk.list_open(seat.name) if q.id == question_id), None)
    if laid is None:
        raise UsageError("This question is not open any more.")
    if len(json.dumps(body, default=str)) > MAX_ANSWER:
        # A wrong answer is told to its writer, who sits there and can mend it. Only a question that is gone is an
        # error.
        return "the answer is too long"
    why = (
        explain_invalid_answer(laid.ask, body)
        if laid.kind in OF_THE_TABLE
        else explain_invalid_response(laid.ask, body)
    )
    # `answer` is the only check that cannot be raced: of two windows of one person, the first to land counts.
    if why is None and not desk.answer(question_id, body):
        raise UsageError("This question was answered already. The first answer stands.")
    return why


def clear_desk(run: Run) -> None:
    """The run is over: nothing lies on its desk any more."""
    desk = open_run_desk(run.folder)
    # The folder may be gone: somebody cleans up after a run that is over. That is no reason to fail it.
    with suppress(OSError):
        for path in desk.folder.iterdir():
            path.unlink()


def _read_decision(run: Run) -> dict[str, Any] | None:
    """How it ended: the status, the reason and the terms."""
    if not run.log.exists():
        return None
    ended: Ended | None = None
    aside: list[str] = []
    with suppress(GraphBusError):
        for entry in JsonlLog.open_reader(run.log, EVENTS):
            event = entry.event
            if isinstance(event, CheckCalled):
                # A new check empties the list: who stood aside from an earlier proposal has said nothing about this
                # one.
                aside = []
            elif isinstance(event, StoodAside):
                aside.append(event.advocate)
            elif isinstance(event, Ended):
                ended = event
    if ended is None:
        return None
    terms = dict(ended.terms) if isinstance(ended.terms, Mapping) else None
    if terms is None and ended.terms:
        terms = dict(enumerate(map(str, ended.terms), 1))
    has_picture = (run.folder / PICTURE).is_file()
    summary = {"status": ended.status, "reason": ended.reason, "terms": terms}
    return {**summary, "stood_aside": list(aside), "picture": has_picture}


# People who may be away: their questions lie in the run's folder, and a link reads and answers each seat's.


Tell = Callable[[str], None]


def parse_duration(text: str) -> float:
    """A length of time like `90s`, `30m`, `12h`, `3d`. Raises UsageError."""
    # At most six digits: a deadline of a thousand years overflows the clock, and a bound is clearer than that error.
    match = re.fullmatch(r"\s*([0-9]{1,6}(?:\.[0-9]{1,3})?)\s*([smhd])\s*", text)
    if match is None or float(match[1]) <= 0:
        raise UsageError(f"--deadline {text!r}: write a number and s, m, h or d, like 3d.")
    return float(match[1]) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[match[2]]


def build_link_seat(prepared: PreparedNegotiation, run: Run, people: Sequence[str], tell: Tell) -> Participant:
    """The seat of these people; each has a key of its own, kept in the run's folder."""
    from graphbus_core.participants.people.durable_desk import SeatLink, build_notifier, open_run_desk

    request = prepared.request
    keys = load_or_create_keys(run, people)
    notify = build_notifier(request.notify, keys, tell) if request.notify else None
    deadline = parse_duration(request.deadline) if request.deadline else None
    return SeatLink(open_run_desk(run.folder), run.id, deadline, notify)


def seat_people_behind_links(prepared: PreparedNegotiation, run: Run, tell: Tell) -> PreparedNegotiation:
    """The same negotiation with its people behind links, where it was asked for so; else as it is."""
    people = prepared.request.humans
    if prepared.request.notify and not prepared.request.links:
        return _notify_agents(prepared, run, tell)
    if not prepared.request.links or not people:
        # Only people are replaced: a model behind a link would wait for somebody to click.
        return prepared
    seat = build_link_seat(prepared, run, people, tell)
    return replace(prepared, seats={**prepared.seats, **dict.fromkeys(people, seat)})


def _notify_agents(prepared: PreparedNegotiation, run: Run, tell: Tell) -> PreparedNegotiation:
    """Every seat that somebody or some agent answers for is told of its questions; the rules need no waking."""
    from graphbus_core.participants.advocates import RuleAdvocate
    from graphbus_core.participants.people.durable_desk import NotifiedSeat, build_notifier

    notify = build_notifier(prepared.request.notify or "", {}, tell)
    seats = {
        n: seat if isinstance(seat, RuleAdvocate) else NotifiedSeat(seat, run.id, notify)
        for n, seat in prepared.seats.items()
    }
    return replace(prepared, seats=seats)
