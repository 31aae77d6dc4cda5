"""The team of a project's repository, as a server shows it: the board, each seat's turn, what two have to settle.

A repository has one team. Its agents mostly work over the command line or MCP; whoever has the link of a seat speaks
for it here, and is shown the questions of that seat alone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.negotiation.team.protocol import explain_impossible
from graphbus_core.negotiation.team.state import Question, State
from graphbus_core.services import team
from graphbus_core.services.errors import NotFound
from graphbus_core.services.questions.seats import SeatLinks
from graphbus_core.sessions.team.table import TeamTable

TEAM = "here"  # the name of the one team of a repository
LOOK_AGAIN_S = 10.0  # whether the folder is in a repository by now
LAND_WAIT_S = 25.0  # of one call; a landing may take longer, and goes on
Json = dict[str, Any]


class BackgroundLanding:
    """The landings of one process: each call waits a while, and another call goes on waiting for the same."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(4, "team-land")
        self._running: dict[str, Future[Json]] = {}
        self._lock = threading.Lock()

    def land(self, folder: Path, name: str, verify: str | None, wait_s: float = LAND_WAIT_S) -> Json:
        """What became of a landing; `at work` where it is under way. Raises what the landing raises."""
        with self._lock:
            if name not in self._running:
                self._running[name] = self._pool.submit(lambda: team.land(folder, name, verify=verify))
            running = self._running[name]
        try:
            done = running.result(wait_s)
        except TimeoutError:
            return {"status": "at work", "next": "call land again", "notes": []}
        finally:
            if running.done():
                with self._lock:
                    self._running.pop(name, None)
        landing = done["landing"]
        shown = {key: landing[key] for key in ("status", "commit", "id", "why", "conflicts") if landing[key]}
        return {**shown, "notes": done["notes"]}


class HostedTeam:
    """The team of the repository that a folder belongs to. Safe to use from any thread."""

    def __init__(self, folder: Path, seats: SeatLinks, observe: Callable[[str, Mapping[str, Any]], object]) -> None:
        self.folder, self._seats, self._observe = folder, seats, observe
        self._landing = BackgroundLanding()
        self._read: tuple[tuple[int, int], State] | None = None
        self._log: Path | None = None
        self._looked_at = -LOOK_AGAIN_S

    def find_team(self, name: str = TEAM) -> None:
        """Raises NotFound where there is no such team."""
        if name != TEAM:
            raise NotFound(f"There is no team {name!r}. A repository has one: {TEAM!r}.")
        if self._read_state() is None:
            raise NotFound("There is no team in this repository. Begin one here, or with `graphbus team start`.")

    def list_teams(self) -> list[Json]:
        """The team, in short; nothing where there is none."""
        state = self._read_state()
        if state is None:
            return []
        asked = sum(question.is_open for question in state.questions.values())
        seats = [{"seat": seat.name, "status": seat.status} for seat in state.seats.values()]
        return [{"id": TEAM, "base": state.base, "seats": seats, "open": asked, "landings": len(state.landings)}]

    def start(self, tasks: Mapping[str, str], onto: str | None, lease_s: float) -> str:
        """Begin a team. Raises UsageError."""
        team.start(self.folder, texts=tasks, onto=onto, lease_s=lease_s)
        self._observe("negotiation", {"build_id": f"team/{TEAM}", "kind": "team_opened"})
        return TEAM

    def join(self, name: str) -> Json:
        """Take a seat with a working tree of its own. Raises UsageError, NotFound."""
        self.find_team()
        return team.join(self.folder, name, worktree="")

    def has_seat(self, name: str) -> bool:
        """Whether somebody sits there under that name."""
        state = self._read_state()
        return state is not None and name in state.seats and state.seats[name].status != "left"

    def show(self, seat: str | None = None) -> Json:
        """The board, brought up to date; for a seat with its own questions alone. Raises NotFound."""
        self.find_team()
        board = team.show_status(self.folder)
        if seat is not None:
            board["questions"] = [q for q in board["questions"] if seat in q["seats"]]
            for row in board["seats"]:
                if row["seat"] != seat:
                    row["obstacles"], row["worktree"] = [], ""
        return {"id": TEAM, **board}

    def turn(self, seat: str, everything: bool) -> Json:
        """What is new for a seat. Raises NotFound, UsageError."""
        self.find_team()
        return team.turn(self.folder, seat, everything=everything)

    def plan(self, seat: str, text: str) -> Json:
        """Take its plan. Raises NotFound, UsageError."""
        self.find_team()
        return team.plan(self.folder, text, seat)

    def say(self, seat: str, text: str) -> Json:
        """Say a whole turn. Raises NotFound, UsageError."""
        self.find_team()
        return team.say(self.folder, text, seat)

    def sync(self, seat: str) -> Json:
        """Bring its branch up to date. Raises NotFound, UsageError."""
        self.find_team()
        return team.sync(self.folder, seat)

    def land(self, seat: str, verify: str | None) -> Json:
        """Land its branch, or go on waiting for that. Raises NotFound, UsageError."""
        self.find_team()
        return self._landing.land(self.folder, seat, verify)

    # ---- questions, as the inbox shows them

    def list_questions(self) -> Iterator[Json]:
        """What each seat that has a link has still to settle."""
        state = self._read_state()
        if state is None:
            return
        for question in state.questions.values():
            for name in question.seats if question.is_open else ():
                if self._seats.find_owner(f"team/{TEAM}", name) is not None and name not in question.accepted:
                    yield _describe_question(state, question, name)

    def answer(self, question_id: str, body: Mapping[str, Any]) -> None:
        """Settle as a seat: by the hash of a choice, or with words of one's own. Raises UsageError, NotFound."""
        _, _, seat, question = question_id.split("/")
        choice, words = body.get("hash"), body.get("text")
        if isinstance(choice, str) and choice:
            self.say(seat, f"@accept {question} {choice}")
        elif isinstance(words, str) and words.strip():
            self.say(seat, f"@offer {question}\n" + "\n".join(line.lstrip("@ ") for line in words.splitlines()))
        else:
            raise UsageError("Say `hash`, of a choice, or `text`, another choice in words.")
        self._observe("answered", {"id": question_id})

    def _read_state(self) -> State | None:
        """The state as its log has it, read again where that has changed; None without a team."""
        try:
            log = self._find_log()
            if log is None:
                return None
            stat = log.stat()
            key = (stat.st_size, stat.st_mtime_ns)
            if self._read is None or self._read[0] != key:
                self._read = key, TeamTable(self.folder).read_state()
            return self._read[1]
        except (GraphBusError, OSError):
            self._read = None
            return None

    def _find_log(self) -> Path | None:
        """Where the log of a team lies. Git is asked once; outside of a repository again after a while."""
        if self._log is None and time.monotonic() - self._looked_at >= LOOK_AGAIN_S:
            self._looked_at = time.monotonic()
            self._log = TeamTable(self.folder).log_path
        return self._log


def _describe_question(state: State, question: Question, name: str) -> Json:
    choices = [
        {"title": choice["text"], "type": "object", "properties": {"hash": {"const": digest}}, "required": ["hash"]}
        for digest, choice in question.choices.items()
        if not explain_impossible(state, question, choice)
    ]
    words = {"type": "string", "minLength": 1, "title": "What I offer in its place"}
    own = {"title": "Something else", "type": "object", "properties": {"text": words}, "required": ["text"]}
    other = question.find_other(name)
    offered = question.choices.get(question.accepted.get(other, ""), {}).get("text", "")
    return {
        "id": f"team/{TEAM}/{name}/{question.id}",
        "to": name,
        "kind": "settle_overlap",
        "about": {"text": question.text, "symbol": question.about, "with": other, "accepted_by_other": offered},
        "answer_schema": {"type": "object", "oneOf": [*choices, own]},
        "refused": [],
    }
