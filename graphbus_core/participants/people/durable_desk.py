"""A desk that lasts: open questions and their answers as files, so that processes meet there without a server.

A build, a consent negotiation and any number of MCP servers are processes of their own. Whoever is asked lays the
question down; whoever answers puts one file beside it, and the first one wins (a file is made only where there is
none). Both survive a kill: asked again after a restart, a question finds the answer that was given meanwhile.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import re
import shlex
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import UsageError
from graphbus_core.model.operation import build_operation_schemas
from graphbus_core.negotiation.core import Ask, Json, Participant, Reply, View
from graphbus_core.storage.atomic_files import put_aside, write_atomic, write_new

FOLDER = "desk"
TAKEN = "taken"  # the ending of an answer that is being taken up
PAUSE_S = 0.2
SETTLE_S = 0.05  # longer than it takes to take a question up
MAX_BYTES = 8_000_000  # of one question or answer


@dataclass(frozen=True)
class DurableQuestion:
    """One question on the desk. `id` is unique in its folder: the negotiation's name, the ask's id, and a digest of
    what is asked. Without that the answer to a build that was killed would be taken by the next one."""

    id: str
    to: str
    kind: str
    protocol: str
    about: dict[str, Any]
    refused: tuple[str, ...] = ()
    instructions: str = ""
    answer_schema: dict[str, Any] | None = None
    news: str = ""  # of the instructions, what is of this question alone

    @property
    def ask(self) -> Ask:
        """The question as the negotiation asked it."""
        return Ask(self.id.partition("/")[2].rpartition("~")[0], self.to, self.kind, self.about)


class DurableDesk:
    """The questions of one folder, `.graphbus/desk`; used by any number of processes at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add(self, laid: DurableQuestion) -> None:
        """Lay a question down; laid again, it is the same."""
        self.folder.mkdir(parents=True, exist_ok=True)
        write_atomic(self._build_path(laid.id, "ask"), _encode_json(laid.__dict__))

    def list_open(self, to: str = "") -> list[DurableQuestion]:
        """What waits for `to` (for anybody where that is empty), oldest first."""
        return [laid for laid in self._list_all() if to in ("", laid.to) and self._is_open(laid.id)]

    def _is_open(self, question_id: str) -> bool:
        # The answer first: where it went because it was taken up, it was put aside before (see `remove`).
        return not self._is_answered(question_id) and self._build_path(question_id, "ask").exists()

    def _is_answered(self, question_id: str) -> bool:
        return any(self._build_path(question_id, end).exists() for end in ("answer", TAKEN))

    def find(self, question_id: str) -> DurableQuestion | None:
        """The question of this id, answered or not."""
        return next((laid for laid in self._list_all() if laid.id == question_id), None)

    def answer(self, question_id: str, body: Json) -> bool:
        """Give the answer. False where somebody was first: that one stands. Raises UsageError for no question."""
        ask, answer = self._build_path(question_id, "ask"), self._build_path(question_id, "answer")
        if not ask.exists():
            raise UsageError(f"There is no question {question_id!r}. It may be over.")
        if self._build_path(question_id, TAKEN).exists() or not write_new(
            answer, _encode_json(dict(body)), durable=True
        ):
            return False
        # Another answer may have been taken up between the look and the put. Then the question goes, and ours is left:
        # one that is taken up is put aside first, so what still lies there beside a taken one was never read.
        time.sleep(SETTLE_S)
        if answer.exists() and (self._build_path(question_id, TAKEN).exists() or not ask.exists()):
            answer.unlink(missing_ok=True)
            return False
        return True

    def find_answer(self, question_id: str) -> Json | None:
        """The answer, if there is one."""
        # What was put aside first: a kill between that and the end leaves it there, and it is the one that counted.
        answers = (_read_file(self._build_path(question_id, end)) for end in (TAKEN, "answer"))
        return next((data for data in answers if isinstance(data, dict)), None)

    def remove(self, question_id: str) -> None:
        """The question is over: its files go."""
        # The answer is put aside in one step, and the question goes before it. So whoever answers can tell at any
        # moment whether it was theirs that counted; and a question is never seen without an answer in between.
        with suppress(OSError):
            put_aside(self._build_path(question_id, "answer"), self._build_path(question_id, TAKEN))
        for end in ("ask", TAKEN):
            with suppress(OSError):
                self._build_path(question_id, end).unlink()

    def _list_all(self) -> Iterator[DurableQuestion]:
        by_time = []
        with suppress(OSError):
            for path in self.folder.glob("*.ask"):
                data = _read_file(path)
                with suppress(TypeError, OSError):
                    by_time.append(
                        (path.stat().st_mtime_ns, DurableQuestion(**{**data, "refused": tuple(data["refused"])}))
                    )
        yield from (laid for _, laid in sorted(by_time, key=lambda entry: entry[0]))

    def _build_path(self, question_id: str, end: str) -> Path:
        plain = re.sub(r"[^A-Za-z0-9._-]+", "-", question_id)[:80]
        mark = hashlib.blake2b(question_id.encode(errors="replace"), digest_size=5).hexdigest()
        return self.folder / f"{plain}-{mark}.{end}"


class DurableDeskParticipant:
    """A seat whose questions lie on a lasting desk. `protocol` names the negotiation that judges its answers."""

    def __init__(self, desk: DurableDesk, protocol: str) -> None:
        self.desk = desk
        self.protocol = self.name = protocol

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Wait for whoever answers; nothing is lost if this process ends meanwhile."""
        from graphbus_core.participants.llm.prompts import build_prompt, find_question

        registered = find_question(ask)
        facts = tuple(view.facts)
        prompt = build_prompt(ask, facts, view.refused)
        schema = dict(registered[1].answer) if registered else ask.about.get("answer") or {"type": "object"}
        schema = describe_operations(ask.kind, schema) if self.protocol == BUILD else schema
        words = f"{registered[1].asks if registered else ''}\n\n{prompt.stable}\n\n{prompt.changing}".strip()
        content = json.dumps([ask.about, words], sort_keys=True, default=str).encode(errors="replace")
        mark = hashlib.blake2b(content, digest_size=4).hexdigest()
        laid = DurableQuestion(
            f"{self.name}/{ask.id}~{mark}",
            ask.to,
            ask.kind,
            self.protocol,
            dict(ask.about),
            view.refused,
            words,
            dict(schema),
            prompt.changing.strip(),
        )
        self.desk.add(laid)
        while (body := self.desk.find_answer(laid.id)) is None:
            await asyncio.sleep(PAUSE_S)
        self.desk.remove(laid.id)
        return Reply(body)


BUILD = "build"
CONDITIONS = "What else must be so for your yes to hold. A yes with conditions is none: bring them as counter_proposal."


def describe_operations(kind: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """An answer's schema with the form of every operation: who has it needs no second try for a wrong key."""
    diff = {"type": "array", "items": {"anyOf": build_operation_schemas()}, "minItems": 1}
    proposal = {"type": "object", "properties": {"summary": {"type": "string"}, "diff": diff}, "required": ["diff"]}
    properties = dict(schema.get("properties", {}))
    match kind:
        case "propose":
            properties["proposals"] = {"type": "array", "items": proposal}
        case "evaluate":
            properties["counter_proposal"] = {"anyOf": [proposal, {"type": "null"}]}
            properties["conditions"] = {"type": "array", "items": {"type": "string"}, "description": CONDITIONS}
        case "arbitrate":
            properties["committed_diff"] = {"anyOf": [diff, {"type": "null"}]}
        case _:
            return dict(schema)
    return {**schema, "properties": properties}


def _encode_json(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, default=str).encode("utf-8", "surrogatepass") + b"\n"


def _read_file(path: Path) -> Any:
    try:
        if path.stat().st_size > MAX_BYTES:
            return None
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None


# A seat whose questions wait for days: they lie in the run's folder until the person behind a link answers.
#
# The answer stays there until the run is over. So a kill between an answer and its use loses nothing, and a question
# that is asked again finds its answer: nobody is asked twice.


NOTIFY_S = 30.0  # how long a notification may take
Notify = Callable[[Mapping[str, Any]], None]


class SeatLink:
    """One seat of one run. `deadline_s`: after so long a question counts as not answered; the time goes on while
    nothing runs. `notify` is told once of each question."""

    def __init__(self, desk: DurableDesk, run_id: str, deadline_s: float | None = None, notify: Notify | None = None):
        self.desk, self.run_id, self.deadline_s, self.notify = desk, run_id, deadline_s, notify

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Wait for the person. A refused answer is asked for again under another name, with the reason."""
        suffix = f"#{len(view.refused) + 1}" if view.refused else ""
        name = f"{self.run_id}/{ask.id}{suffix}"
        laid = self.desk.find(name)
        if laid is None:
            laid = DurableQuestion(
                name, ask.to, ask.kind, "consent", {**ask.about, "asked_at": time.time()}, view.refused
            )
            self.desk.add(laid)
            if self.notify is not None:
                about = {"seat": ask.to, "kind": ask.kind, "run": self.run_id, "topic": ask.about.get("topic", "")}
                await asyncio.to_thread(self.notify, about)
        since = float(laid.about.get("asked_at", time.time()))
        while (body := self.desk.find_answer(name)) is None:
            if self.deadline_s is not None and time.time() > since + self.deadline_s:
                # Laid down as an answer, so that one that comes later changes nothing after a restart either.
                self.desk.answer(name, {LATE: True})
                continue
            await asyncio.sleep(PAUSE_S)
        if body.get(LATE):
            return Reply(None, f"no answer within {self.deadline_s or 0:g} s")
        return Reply(body)


class NotifiedSeat:
    """A seat whose agent is told once of each question, and then asked as ever (seed 001: the ledger wakes nobody)."""

    def __init__(self, seat: Participant, run_id: str, notify: Notify) -> None:
        self.seat, self.run_id, self.notify = seat, run_id, notify

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The seat's own answer."""
        if not view.refused:
            about = {"seat": ask.to, "kind": ask.kind, "run": self.run_id, "topic": ask.about.get("topic", "")}
            await asyncio.to_thread(self.notify, about)
        return await self.seat.answer(ask, view)


LATE = "no_answer_in_time"


def build_notifier(target: str, links: Mapping[str, str], tell: Callable[[str], None]) -> Notify:
    """A command that is started, or an address that is posted to, once a question; a failure is told and no more.

    The command gets GRAPHBUS_SEAT, GRAPHBUS_KIND, GRAPHBUS_RUN and GRAPHBUS_KEY, and the same as JSON on its input.
    """

    def notify(about: Mapping[str, Any]) -> None:
        data = {**about, "key": links.get(str(about["seat"]), "")}
        text = json.dumps(data, ensure_ascii=False)
        try:
            if target.startswith(("http://", "https://")):
                _post(target, text)
            else:
                names = {f"GRAPHBUS_{k.upper()}": str(v) for k, v in data.items()}
                subprocess.run(
                    shlex.split(target),
                    input=text.encode(),
                    env={**os.environ, **names},
                    timeout=NOTIFY_S,
                    check=True,
                    stdout=subprocess.DEVNULL,
                )
        except (OSError, ValueError, subprocess.SubprocessError) as e:
            tell(f"The notification for {about['seat']} failed ({e}). The question waits all the same.")

    return notify


def _post(url: str, text: str) -> None:
    from urllib.request import Request, urlopen

    request = Request(url, text.encode(), {"Content-Type": "application/json"}, method="POST")
    with urlopen(request, timeout=NOTIFY_S):
        pass


def open_run_desk(folder: Path) -> DurableDesk:
    """The desk of a run, in a folder that its owner alone can read."""
    place = folder / "desk"
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return DurableDesk(place)
