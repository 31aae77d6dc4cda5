"""A desk that lasts: open questions and their answers as files, so that processes meet there without a server.

A build, a consent negotiation and any number of MCP servers are processes of their own. Whoever is asked lays the
question down; whoever answers puts one file beside it, and the first one wins (a file is made only where there is
none). Both survive a kill: asked again after a restart, a question finds the answer that was given meanwhile.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.errors import UsageError
from graphbus_core.files.whole import put_new, put_whole
from graphbus_core.negotiation.core import Ask, Json, Reply, View

FOLDER = "desk"
PAUSE_S = 0.2
SETTLE_S = 0.05  # longer than it takes to take a question up
MAX_BYTES = 8_000_000  # of one question or answer


@dataclass(frozen=True)
class Laid:
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

    @property
    def ask(self) -> Ask:
        """The question as the negotiation asked it."""
        return Ask(self.id.partition("/")[2].rpartition("~")[0], self.to, self.kind, self.about)


class LastingDesk:
    """The questions of one folder, `.graphbus/desk`; used by any number of processes at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def lay(self, laid: Laid) -> None:
        """Lay a question down; laid again, it is the same."""
        self.folder.mkdir(parents=True, exist_ok=True)
        put_whole(self._path(laid.id, "ask"), _json(laid.__dict__))

    def open(self, to: str = "") -> list[Laid]:
        """What waits for `to` (for anybody where that is empty), oldest first."""
        return [laid for laid in self._all() if to in ("", laid.to) and self._is_open(laid.id)]

    def _is_open(self, question_id: str) -> bool:
        # The answer first: where it went because it was taken up, the question went before it (see `take_up`).
        return not self._path(question_id, "answer").exists() and self._path(question_id, "ask").exists()

    def find(self, question_id: str) -> Laid | None:
        """The question of this id, answered or not."""
        return next((laid for laid in self._all() if laid.id == question_id), None)

    def answer(self, question_id: str, body: Json) -> bool:
        """Give the answer. False where somebody was first: that one stands. Raises UsageError for no question."""
        ask, answer = self._path(question_id, "ask"), self._path(question_id, "answer")
        if not ask.exists():
            raise UsageError(f"There is no question {question_id!r}. It may be over.")
        if not put_new(answer, _json(dict(body)), durable=True):
            return False
        # Another answer may have been taken up between the look and the put. Then the question goes, and ours is left.
        time.sleep(SETTLE_S)
        if answer.exists() and not ask.exists():
            answer.unlink(missing_ok=True)
            return False
        return True

    def answered(self, question_id: str) -> Json | None:
        """The answer, if there is one."""
        found = _read(self._path(question_id, "answer"))
        return found if isinstance(found, dict) else None

    def take_up(self, question_id: str) -> None:
        """The question is over: its files go."""
        # The question first: without its answer it would look open to whoever asks in between. After a kill between the
        # two the answer is there still, and is taken up again.
        for end in ("ask", "answer"):
            with suppress(OSError):
                self._path(question_id, end).unlink()

    def _all(self) -> Iterator[Laid]:
        found = []
        with suppress(OSError):
            for path in self.folder.glob("*.ask"):
                data = _read(path)
                with suppress(TypeError, OSError):
                    found.append((path.stat().st_mtime_ns, Laid(**{**data, "refused": tuple(data["refused"])})))
        yield from (laid for _, laid in sorted(found, key=lambda one: one[0]))

    def _path(self, question_id: str, end: str) -> Path:
        plain = re.sub(r"[^A-Za-z0-9._-]+", "-", question_id)[:80]
        mark = hashlib.blake2b(question_id.encode(errors="replace"), digest_size=5).hexdigest()
        return self.folder / f"{plain}-{mark}.{end}"


class LastingParticipant:
    """A seat whose questions lie on a lasting desk. `protocol` names the negotiation that judges its answers."""

    def __init__(self, desk: LastingDesk, protocol: str) -> None:
        self.desk = desk
        self.protocol = self.name = protocol

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Wait for whoever answers; nothing is lost if this process ends meanwhile."""
        from graphbus_core.participants.llm.words.registry import question_for
        from graphbus_core.participants.llm.words.writing import write

        found = question_for(ask)
        facts = tuple(view.facts)
        prompt = write(ask, facts, view.refused)
        schema = dict(found[1].answer) if found else ask.about.get("answer") or {"type": "object"}
        words = f"{found[1].asks if found else ''}\n\n{prompt.stable}\n\n{prompt.changing}".strip()
        said = json.dumps([ask.about, words], sort_keys=True, default=str).encode(errors="replace")
        mark = hashlib.blake2b(said, digest_size=4).hexdigest()
        laid = Laid(
            f"{self.name}/{ask.id}~{mark}",
            ask.to,
            ask.kind,
            self.protocol,
            dict(ask.about),
            view.refused,
            words,
            dict(schema),
        )
        self.desk.lay(laid)
        while (body := self.desk.answered(laid.id)) is None:
            await asyncio.sleep(PAUSE_S)
        self.desk.take_up(laid.id)
        return Reply(body)


def _json(data: dict[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=False, default=str).encode("utf-8", "surrogatepass") + b"\n"


def _read(path: Path) -> Any:
    try:
        if path.stat().st_size > MAX_BYTES:
            return None
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
