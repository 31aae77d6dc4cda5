"""Seat links: a key for each person of a run, what its holder sees, and how its answers are taken.

A key opens one seat of one run: its questions, and how the negotiation stands. It shows no answer of anybody, not even
of its own seat. Keys stand in the run's folder, for its owner alone; who operates the machine can read everything.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.consent.files import Run, Runs
from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.files.whole import put_new
from graphbus_core.negotiation.consent.answers import why_no_answer
from graphbus_core.negotiation.consent.sealed.asks import why_not
from graphbus_core.negotiation.consent.vocabulary import EVENTS, CheckCalled, Ended, StoodAside
from graphbus_core.negotiation.core import Json
from graphbus_core.participants.people.seat_link import desk_of
from graphbus_core.stores.jsonl import JsonlLog

# Of a question, what its seat is shown. Of what was said, the public words alone: votes of an open check are not in it.
SHOWN = (
    *("topic", "priority", "text", "answers", "red_lines_crossed", "stand_aside"),
    *("given", "issues", "said", "may_check", "may_speak", "why_no_check", "checks_left", "turns", "max_turns"),
)
OF_THE_TABLE = ("position", "turn", "consent")  # judged by the negotiation's rules, the rest by the mediator's
MAX_ANSWER = 100_000  # bytes
PICTURE = "picture.svg"  # in the run's folder, where its scores are disclosed: what the links show at the end


def keys_of(run: Run, names: Sequence[str] = ()) -> dict[str, str]:
    """The keys of a run by seat; made once for `names`."""
    path = run.folder / "links.json"
    if not path.exists() and names:
        # 24 bytes: nobody guesses it, and it still fits a line of chat, which is how people send links.
        keys = {name: secrets.token_urlsafe(24) for name in names}
        # `put_new` and not a write: two processes that start one run must not hand out two sets of keys.
        put_new(path, json.dumps(keys, ensure_ascii=False).encode(), durable=True)
        os.chmod(path, 0o600)
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        # A damaged file opens no seat. An error here would tell a stranger that the run exists.
        return {}
    return {str(k): str(v) for k, v in found.items()} if isinstance(found, dict) else {}


@dataclass(frozen=True)
class KeyHolder:
    """Who holds a key."""

    run: Run
    name: str


def seat_of(project: Path, key: str) -> KeyHolder | None:
    """The seat that a key opens, of any run of the project; None for no key."""
    found = None
    # All runs, because a key names none: a link stays short, and shows nothing of the project.
    for run in Runs(project).all():
        for name, known in keys_of(run).items():
            if hmac.compare_digest(known.encode(), key.encode(errors="replace")):  # every one is compared: no timing
                found = KeyHolder(run, name)
    return found


def seen(seat: KeyHolder) -> dict[str, Any]:
    """What the holder of a key is shown: its open questions, and how the negotiation stands."""
    start = seat.run.start()
    questions = []
    for laid in desk_of(seat.run.folder).open(seat.name):
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
        "decision": _decision(seat.run),
    }


def picture_of(seat: KeyHolder) -> str | None:
    """The picture of a negotiation that is over, as SVG; None where there is none."""
    with suppress(OSError):
        return (seat.run.folder / PICTURE).read_text(encoding="utf-8")
    return None


def take(seat: KeyHolder, question_id: str, body: Json) -> str | None:
    """Take the seat's answer: why it is none, or None if it was taken. Raises UsageError for no such question."""
    desk = desk_of(seat.run.folder)
    laid = next((q for q in desk.open(seat.name) if q.id == question_id), None)
    if laid is None:
        raise UsageError("This question is not open any more.")
    if len(json.dumps(body, default=str)) > MAX_ANSWER:
        # A wrong answer is told to its writer, who sits there and can mend it. Only a question that is gone is an
        # error.
        return "the answer is too long"
    why = why_no_answer(laid.ask, body) if laid.kind in OF_THE_TABLE else why_not(laid.ask, body)
    # `answer` is the only check that cannot be raced: of two windows of one person, the first to land counts.
    if why is None and not desk.answer(question_id, body):
        raise UsageError("This question was answered already. The first answer stands.")
    return why


def cleared(run: Run) -> None:
    """The run is over: nothing lies on its desk any more."""
    desk = desk_of(run.folder)
    # The folder may be gone: somebody cleans up after a run that is over. That is no reason to fail it.
    with suppress(OSError):
        for path in desk.folder.iterdir():
            path.unlink()


def _decision(run: Run) -> dict[str, Any] | None:
    """How it ended: the status, the reason and the terms."""
    if not run.log.exists():
        return None
    ended: Ended | None = None
    aside: list[str] = []
    with suppress(GraphBusError):
        for entry in JsonlLog.read(run.log, EVENTS):
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
    told = {"status": ended.status, "reason": ended.reason, "terms": terms}
    return {**told, "stood_aside": list(aside), "picture": has_picture}
