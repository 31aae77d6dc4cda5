"""Consent negotiations that a front end starts: each in a thread of its own, its people asked at the desk."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from graphbus_core.errors import GraphBusError, UsageError
from graphbus_core.negotiation.core import Ask, Json, Participant, Reply, View
from graphbus_core.participants.people.desk import Desk, DeskParticipant
from graphbus_core.services import answer_checks
from graphbus_core.services.decisions import ballots, openings
from graphbus_core.services.decisions.private_words import hide_red_lines_said
from graphbus_core.services.errors import Conflict, NotFound
from graphbus_core.services.questions.forms import build_answer_schema
from graphbus_core.sessions import consent
from graphbus_core.sessions.consent.files import Run, Runs, write_document
from graphbus_core.sessions.consent.preparation import PreparedNegotiation, Request

Observer = Callable[[str, Mapping[str, Any]], object]
# Each holds a thread and perhaps paid models. A page with a button must not start hundreds.
MAX_RUNNING = 8
PREFIX = "consent/"
SCENARIO = "scenario.yaml"  # in the run's folder: what was sent, as it was sent
OWN_CHECKS = ("position", "turn", "consent")  # the mediator judges answers to its own questions itself


def check_consent(ask: Ask, body: Json) -> str | None:
    """Why a body is not an answer to a question of a consent negotiation; None if it is one."""
    if ask.kind == ballots.KIND:
        return ballots.explain_invalid_ballot_paper(ask, body)
    if ask.kind == openings.KIND:
        return openings.explain_invalid_opening(ask, body)
    if ask.kind not in OWN_CHECKS:
        return None
    if ask.about.get("may_state_position") and (wrong := openings.explain_invalid_line(body)) is not None:
        return wrong
    # The rules know the plain id; the run's name is in front of it only at the desk.
    return answer_checks.check_answer("consent", replace(ask, id=ask.id.split("/", 2)[-1]), body)


@dataclass
class _ActiveRun:
    """One negotiation of this process. `stop` ends it; what was answered is kept."""

    run: Run
    humans: tuple[str, ...]
    state: str = "running"  # running | ended | stopped | failed
    detail: str = ""
    stop: Callable[[], None] = field(default=lambda: None, repr=False)


class _DeskSeat:
    """A person's seat: its questions lie on the desk, under the name of the run that asks."""

    def __init__(self, desk: Desk, run_id: str) -> None:
        self.person, self.run_id = DeskParticipant(desk), run_id

    async def answer(self, ask: Ask, view: View) -> Reply:
        if ask.kind == "consent" and _is_own_proposal(ask):
            return Reply({"answer": "consent"})
        # Every front end draws its fields from this schema.
        about = {**hide_red_lines_said(ask.about, ask.to), "answer_schema": build_answer_schema(ask)}
        return await self.person.answer(replace(ask, id=f"{PREFIX}{self.run_id}/{ask.id}", about=about), view)


def _is_own_proposal(ask: Ask) -> bool:
    """Whether somebody is asked about what it proposed itself: it has said yes by proposing."""
    return (ask.about.get("proposal") or {}).get("by") == ask.to and not ask.about.get("red_lines_crossed")


class ConsentRuns:
    """The consent negotiations of one project, in `.graphbus/consent/`."""

    def __init__(self, project: Path, desk: Desk, observe: Observer) -> None:
        self.runs, self.desk, self.observe = Runs(project), desk, observe
        self._under: dict[str, _ActiveRun] = {}
        self._lock = threading.Lock()

    def start(
        self,
        *,
        prompt: str = "",
        scenario: str = "",
        advocates: Mapping[str, str] | None = None,
        humans: Sequence[str] = (),
        model: str | None = None,
        max_turns: int | None = None,
        seed: int | None = None,
        preferences: str | None = None,
        whole_ballots: bool = False,
        open_by_proposal: bool = False,
        before: Callable[[str], object] = lambda run_id: None,
    ) -> str:
        """Begin one, and return its id. `scenario` is the text of a scenario file; `prompt` says it in words. `before`
        is told the id before anybody is asked. `whole_ballots`: in a sealed decision each person may answer the
        mediator's questions with one ballot.

        Raises UsageError for anything that is wrong with it, before anybody is asked.
        """
        # Advocates alone are enough: each brings a priority, and the decision is what they have between them.
        if bool(prompt.strip()) == bool(scenario.strip()) and not (advocates and not scenario):
            raise UsageError("Give either `prompt`, the decision in words, or `scenario`, the text of a scenario file.")
        # A path would be read from the server's disk: whoever reaches the page could have any file shown.
        if prompt and "\n" not in prompt and _is_path(prompt):
            raise UsageError("`prompt` is the decision in words, not a path. Send a file's text as `scenario`.")
        new_run = self.runs.create()
        # The folder first, since the scenario is kept in it as it was sent: the run must not depend on a file of the
        # sender.
        try:
            source = prompt
            if scenario.strip():
                source = str(new_run.folder / SCENARIO)
                write_document(new_run.folder / SCENARIO, scenario)
            request = Request(
                source=source,
                advocates=dict(advocates or {}),
                model=model,
                humans=tuple(humans),
                max_turns=max_turns,
                seed=seed,
                preferences=preferences,
            )
            prepared = consent.prepare(request)
            unknown = [name for name in humans if name not in prepared.scenario.names]
            if unknown:
                known_names = ", ".join(prepared.scenario.names)
                raise UsageError(f"humans: there is no advocate {unknown[0]!r}; there are {known_names}.")
            before(new_run.id)
            for wanted, folder in ((whole_ballots, ballots.FOLDER), (open_by_proposal, openings.FOLDER)):
                if wanted:
                    (new_run.folder / folder).mkdir(mode=0o700)
            self._begin(new_run, prepared)
        except BaseException:
            # Also a scenario that cannot be read leaves nothing behind: the list of runs would fill with failures.
            _remove_empty_run(new_run)
            raise
        return new_run.id

    def resume(self, run_id: str) -> str:
        """Go on with one that was cut off; what was answered is not asked again. Raises NotFound, Conflict."""
        resumed_run = self.find(run_id)
        with self._lock:
            under = self._under.get(resumed_run.id)
        # By record as well as by memory: after a restart this process does not know what ended before.
        if (under is not None and under.state == "running") or resumed_run.read_record().get("ended"):
            raise Conflict(f"{resumed_run.id} is {'under way' if under and under.state == 'running' else 'over'}.")
        self._begin(resumed_run, consent.resume(resumed_run))
        return resumed_run.id

    def cancel(self, run_id: str) -> None:
        """Stop one; it can be resumed. Raises Conflict where it does not run here."""
        under = self._under.get(self.find(run_id).id)
        if under is None or under.state != "running":
            raise Conflict(f"{run_id} is not under way here.")
        under.stop()

    def list_people(self, run_id: str) -> list[str]:
        """The people of a run. Raises NotFound."""
        found = self.find(run_id)
        with self._lock:
            under = self._under.get(found.id)
        return (
            list(under.humans)
            if under is not None
            else [str(name) for name in (found.read_record().get("request") or {}).get("humans", ())]
        )

    def read_topic(self, run_id: str) -> str:
        """What a run decides. Raises NotFound."""
        prepared, _, _ = consent.replay_run(self.find(run_id))
        return prepared.scenario.topic

    def has_ended(self, run_id: str) -> bool:
        """Whether a run came to its end. Raises NotFound."""
        return consent.replay_run(self.find(run_id))[1].outcome is not None

    def find(self, run_id: str) -> Run:
        """The run of exactly that id. Raises NotFound."""
        for run in self.runs.list_runs():
            # Exactly: the command line takes a prefix, but an address in a page must not mean two things.
            if run.id == run_id:
                return run
        raise NotFound(f"There is no consent negotiation {run_id!r}.")

    def state(self, run_id: str) -> tuple[str, str]:
        """(state, detail) of a run: running, ended, stopped, failed; unfinished where no process of ours runs it."""
        under = self._under.get(run_id)
        return (under.state, under.detail) if under else ("unfinished", "")

    def close(self) -> None:
        """Stop all."""
        for under in list(self._under.values()):
            if under.state == "running":
                under.stop()

    def _begin(self, begun_run: Run, prepared: PreparedNegotiation) -> None:
        with self._lock:
            if sum(active_run.state == "running" for active_run in self._under.values()) >= MAX_RUNNING:
                raise Conflict(f"{MAX_RUNNING} consent negotiations are under way. Wait for one, or stop it.")
            under = _ActiveRun(begun_run, prepared.request.humans)
            self._under[begun_run.id] = under
        ready = threading.Event()
        work = threading.Thread(target=self._run, args=(under, prepared, ready), name=begun_run.id, daemon=True)
        work.start()
        # Until it can be stopped. Five seconds is a bound for a machine under load, not a time that is needed.
        ready.wait(5)

    def _run(self, under: _ActiveRun, prepared: PreparedNegotiation, ready: threading.Event) -> None:
        async def main() -> None:
            loop, task = asyncio.get_running_loop(), asyncio.current_task()
            assert task is not None

            def stop() -> None:
                # From another thread: cancelling a task directly is not safe while its loop runs.
                loop.call_soon_threadsafe(task.cancel)

            under.stop = stop
            work = self._negotiate(under, prepared)
            ready.set()
            finished = await work
            under.state, under.detail = "ended", finished.outcome.status.value

        try:
            asyncio.run(main())
        except (asyncio.CancelledError, KeyboardInterrupt):
            under.state, under.detail = "stopped", "stopped; what was answered is kept"
        except GraphBusError as e:
            under.state, under.detail = "failed", str(e)
        except Exception as e:  # a fault of ours must not leave a negotiation that runs for ever
            under.state, under.detail = "failed", f"{type(e).__name__}: {e}"
        finally:
            # Whoever waits in `_begin` must not wait for a start that failed.
            ready.set()
        # After the state is set: a follower asks for the state as soon as it hears this.
        self.observe("negotiation", {"build_id": under.run.id, "kind": "consent_" + under.state, "fact": {}})

    async def _negotiate(self, under: _ActiveRun, prepared: PreparedNegotiation) -> consent.FinishedNegotiation:
        person: Participant = _DeskSeat(self.desk, under.run.id)
        people: dict[str, Participant] = dict.fromkeys(under.humans, person)
        preferences = str(prepared.request.preferences or prepared.scenario.preferences)
        # Sealed has a road of its own: its questions come from the mediator and not from the protocol.
        if preferences == "sealed":
            from graphbus_core.sessions.consent.elicitation import ask_everyone_async, assign_question_seats

            folder = under.run.folder / ballots.FOLDER
            if folder.is_dir():
                people = {
                    name: ballots.BallotSeat(person, prepared.scenario, name, folder / f"{number}.jsonl")
                    for number, name in enumerate(under.humans)
                }
            seats = {name: people.get(name, seat) for name, seat in assign_question_seats(prepared, True).items()}
            return await ask_everyone_async(prepared, under.run, seats)
        folder = under.run.folder / openings.FOLDER
        if preferences == "disclosed" and folder.is_dir():
            table = openings.OpeningTable(prepared.config, folder)
            if prepared.scenario.names[0] not in under.humans:
                table.tell({})  # a program speaks first, in its turn
            people = {
                name: openings.OpeningSeat(person, table, name, number) for number, name in enumerate(under.humans)
            }
        return await consent.run_async(replace(prepared, seats={**prepared.seats, **people}), under.run)


def _is_path(text: str) -> bool:
    try:
        return Path(text.strip()).exists() or Path(text.strip()).suffix.lower() in (".yaml", ".yml", ".xml")
    except (OSError, ValueError):
        return False


# Only what we put there, then the folder if that leaves it empty: answers of anybody are never deleted.
def _remove_empty_run(empty_run: Run) -> None:
    """Nothing came of it: its folder goes, where it holds nothing but what we put there."""
    (empty_run.folder / SCENARIO).unlink(missing_ok=True)
    try:
        for folder in (ballots.FOLDER, openings.FOLDER):
            if (empty_run.folder / folder).exists():
                (empty_run.folder / folder).rmdir()
        empty_run.folder.rmdir()
    except OSError:
        return
