"""The negotiating half of a build: seats the participants, runs the session, lets commits through the gates.

`AgentOrchestrator` is the seed's name (seed 002 §4.1, step 5). The rules of the negotiation stand in
`negotiation.proposal`; what touches files stands in `build.commit`; this only brings them together.
"""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphbus_core.analysis.class_context import describe_project_context
from graphbus_core.analysis.evidence import EvidenceSources
from graphbus_core.analysis.links import LinkResult, link_project
from graphbus_core.analysis.scan import Project
from graphbus_core.artifacts import NEGOTIATION_LOG
from graphbus_core.artifacts.build_ids import create_build_id
from graphbus_core.artifacts.folder import to_json
from graphbus_core.commit import CommitEngine, git
from graphbus_core.commit.engine import CommitStopped
from graphbus_core.commit.preflight import may_change_links, try_answer
from graphbus_core.config import BuildConfig
from graphbus_core.errors import ParticipantError
from graphbus_core.logs.jsonl import LogReader
from graphbus_core.logs.negotiation_folder import NegotiationFolder
from graphbus_core.negotiation.core import (
    AnswerRefused,
    Apply,
    Ask,
    Driver,
    Event,
    Json,
    Log,
    Participant,
    Reply,
    Session,
    Wait,
)
from graphbus_core.negotiation.core.driver import run_blocking
from graphbus_core.negotiation.core.session import retry_on_parser_fault
from graphbus_core.negotiation.proposal.config import DECIDER, ProposalConfig
from graphbus_core.negotiation.proposal.events import EVENTS, ProposalCommitted
from graphbus_core.negotiation.proposal.negotiation_log import NegotiationLog
from graphbus_core.negotiation.proposal.protocol import ProposalProtocol
from graphbus_core.negotiation.proposal.state import ProposalRecord, build_commit_record
from graphbus_core.negotiation.proposal.transitions import Stage
from graphbus_core.negotiation.proposal.vocabulary import NegotiationOutcome
from graphbus_core.participants.llm import LLMParticipant
from graphbus_core.participants.threads import run_in_thread
from graphbus_core.sessions.build.hooks import Hooks, NegotiationResult
from graphbus_core.sessions.build.protection import resolve_protected
from graphbus_core.sessions.build.resumption import (
    UnfinishedNegotiation,
    build_nothing_to_resume,
    check_files,
    describe_unfinished,
    find_unfinished,
    record_settings,
)
from graphbus_core.sessions.build.seats import RULES, Seats, seat, seats_rules
from graphbus_core.sessions.build.start import build_start
from graphbus_core.storage.atomic_files import write_atomic
from graphbus_core.storage.git import run_git
from graphbus_core.text import join_few

if TYPE_CHECKING:
    from graphbus_core.sessions.build.seats import OwnVoices

# Ctrl-C while agents negotiate: heard once, answered at once, and never in the middle of a write.


class InterruptHandler:
    """What SIGINT does. `told` is called at the first one that is taken in order; further ones change nothing.

    Outside the main thread, and where the process was started with SIGINT ignored, it does nothing.
    """

    def __init__(self, on_interrupt: Callable[[], None]) -> None:
        self.told = on_interrupt
        self.struck = False

    def raise_at_once(self) -> None:
        """KeyboardInterrupt where it strikes: before the first fact there is nothing to be careful with.

        asyncio would only cancel the task, which helps nothing while the user's own module is imported.
        """
        if _owns_sigint():
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def cancel_in_order(self) -> None:
        """From now on the running task is cancelled, and ends what it has begun. Until the loop closes."""
        task = asyncio.current_task()
        assert task is not None

        def cancel_task() -> None:
            if not self.struck:
                self.struck = True
                self.told()
                task.cancel()

        if _owns_sigint():
            asyncio.get_running_loop().add_signal_handler(signal.SIGINT, cancel_task)


def _owns_sigint() -> bool:
    in_main = threading.current_thread() is threading.main_thread()
    return in_main and signal.getsignal(signal.SIGINT) != signal.SIG_IGN


Observe = Callable[[Ask | Apply | Wait | Event, Reply | None], None]


def negotiate(config: BuildConfig, project: Project, linked: LinkResult, hooks: Hooks) -> NegotiationResult:
    """Let the agents of `project` negotiate, and commit what they agree on. See `AgentOrchestrator`.

    Ctrl-C stops it cleanly, once: what runs is ended, and KeyboardInterrupt raised. More of them change nothing.
    """
    stopping = {
        "text": "Stopping: what runs is ended; a commit whose files are being written is finished.",
        "warning": True,
    }
    interrupts = InterruptHandler(lambda: hooks.observe("notice", stopping))

    async def run() -> NegotiationResult:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None

        def cancel() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(task.cancel)

        interrupts.raise_at_once()
        hooks.begin(cancel)
        return await AgentOrchestrator(config, project, linked, hooks, interrupts.cancel_in_order).run()

    try:
        return run_blocking(run())
    except asyncio.CancelledError:
        if interrupts.struck:
            raise KeyboardInterrupt from None
        raise


class AgentOrchestrator:
    """One negotiation of one build.

    `hooks.observe(kind, data)` is told what happens: `notice`, `opened`, `asked`, `answered`, `fact`, `applying`,
    `progress`. `begun` is called when the first fact is about to be written.
    Cancelling `run` (Ctrl-C) loses nothing: what was answered is kept, and a build with `resume` goes on.
    """

    def __init__(
        self,
        config: BuildConfig,
        project: Project,
        linked: LinkResult,
        hooks: Hooks | None = None,
        begun: Callable[[], None] = lambda: None,
    ) -> None:
        self.asked = config
        patterns, self._unprotected = resolve_protected(
            config.safety_config.protected_files, project.root, project.files
        )
        # What is written elsewhere is asked like everybody else; a change of it falls before anybody votes.
        patterns += [component.source_file for component in project.external]
        self.config = replace(config, safety_config=replace(config.safety_config, protected_files=patterns))
        self.project = project
        self.linked = linked
        self.hooks = hooks or Hooks()
        self.observe = self.hooks.observe
        self.begun = begun
        self.kept = NegotiationFolder(config.output_dir)

    async def run(self) -> NegotiationResult:
        """Negotiate to the end. Raises UsageError where a resumed build is not as it was left."""
        unfinished_negotiation = find_unfinished(self.config.output_dir)
        seats = seat(
            self.project,
            self.config,
            watch=self._observe_progress,
            environ=unfinished_negotiation.environ
            if unfinished_negotiation is not None and self.config.resume
            else None,
            approver=self.hooks.approver,
        )
        try:
            return await self._run_negotiation(seats, unfinished_negotiation)
        finally:
            if seats.voices is not None:
                seats.voices.close()

    async def _run_negotiation(
        self, seats: Seats, unfinished_negotiation: UnfinishedNegotiation | None
    ) -> NegotiationResult:
        protocol = ProposalProtocol()
        # The engine takes the build's lock, and settles a commit that was cut off.
        rehearse = seats.are_rules or seats_rules(self.hooks.seats)
        with CommitEngine(self.project, self.config, rehearse=rehearse) as engine:
            if engine.project is not self.project and not self.config.dry_run:
                self.project, self.linked = engine.project, link_project(engine.project)  # as that commit left it
            if seats.are_rules:
                output = Path(self.config.output_dir).absolute()
                engine.witnesses = EvidenceSources(self.project.root, output, self.project.whole)
                hear = partial(engine.witnesses.attach_evidence, self.project.everyone, self.linked)
                self.linked = await run_in_thread(hear)
            build_id, start, recorded = self._choose_negotiation(unfinished_negotiation, seats)
            engine.check_verify()
            engine.build_id = build_id
            costs = seats.table.list_notes() if seats.table else ()
            for warning in self._unprotected:
                self.observe("notice", {"text": warning, "warning": True})
            for note in (*_check_dirty_tree(self.project.root), *seats.notes, *costs, *engine.notes):
                self.observe("notice", {"text": note})
            log, answers = self.kept.open(build_id, EVENTS, request=recorded)
            dry = {"dry_run": self.config.dry_run}
            with log, answers:
                self.observe("opened", {"build_id": build_id, "log": str(log.path), "resumed": len(log) > 0, **dry})
                if seats.table:  # what was paid for before the build was cut off counts towards its budget
                    seats.table.spending.restore(reply.usage for _, reply in answers)
                session = Session(protocol, start, log)
                if self.config.dry_run and len(log):
                    await run_in_thread(lambda: _redo_commits(engine, protocol, start, log))
                apply = partial(_apply, engine)
                observe: Observe = self._observe_step
                if seats.voices is not None and not self.config.dry_run:
                    observe = _note_commits(session, seats.voices, self._observe_step)
                participants = self.hooks.around({**seats.participants, **self.hooks.seats})
                driver = Driver(participants, answers, apply, observe, partial(_try, engine, participants))
                self.begun()
                try:
                    outcome = await self._drive_session(driver, session)
                    if (owed := await run_in_thread(engine.verify_incomplete_batches)) is not None:
                        self.observe("notice", {"text": owed, "warning": True})
                    if seats.voices is not None:
                        await seats.voices.tell_commits()
                finally:
                    times = self._rewrite_log(build_id)
        if seats.table and seats.table.spending.total.requests:
            self.observe("notice", {"text": seats.table.spending.summarize()})
        return self._build_result(build_id, _add_times(outcome, times), seats)

    async def _drive_session(self, driver: Driver, session: Session[Any, NegotiationOutcome]) -> NegotiationOutcome:
        """To the end; a budget that is used up is an end like any other."""
        llm = self.config.llm_config
        timer: asyncio.TimerHandle | None = None
        if llm is not None and llm.max_wall_s is not None:
            why = f"max_wall_s ({llm.max_wall_s:g} s) is over"
            timer = asyncio.get_running_loop().call_later(llm.max_wall_s, _stop, driver, session, why)
        try:
            return await driver.run(session)
        except ParticipantError as e:
            if not _is_budget(e):
                raise
            _stop(driver, session, str(e))
            return await driver.run(session)
        finally:
            if timer is not None:
                timer.cancel()

    def _start_state(self, seats: Seats) -> ProposalConfig:
        return build_start(
            self.project,
            self.linked,
            self.config,
            around=describe_project_context(self.project),
            only_mends=seats.only_mend and not self.config.intent and not self.config.refactoring_goals,
            decides=DECIDER in seats.participants,
            keeps_none=DECIDER in seats.participants,
            proposed_by=self.hooks.proposed_by,
        )

    def _choose_negotiation(
        self, unfinished_negotiation: UnfinishedNegotiation | None, seats: Seats
    ) -> tuple[str, ProposalConfig, Mapping[str, Any]]:
        """A new negotiation; or, where the build is resumed, the unfinished one and the state that it started from."""
        if not self.config.resume:
            if unfinished_negotiation is not None and not unfinished_negotiation.kept.ended and not self.config.fresh:
                self.observe(
                    "notice",
                    {
                        "text": f"{describe_unfinished(unfinished_negotiation.kept)} This build starts over.",
                        "warning": True,
                    },
                )
            start = self._start_state(seats)
            start.validate()  # before there is a log: a start that cannot be leaves nothing behind
            recorded = record_settings(self.asked, seats.model or RULES, people=self.hooks.seats)
            return create_build_id(self.kept.folder.parent), start, recorded
        if unfinished_negotiation is None:
            raise build_nothing_to_resume()
        unfinished_negotiation.check_people(self.hooks.seats)
        check_files(unfinished_negotiation, self.project, self.config.output_dir, self.config.dry_run)
        return unfinished_negotiation.kept.build_id, ProposalConfig.from_opened(unfinished_negotiation.opened), {}

    def _rewrite_log(self, build_id: str) -> Mapping[str, float]:
        """Rewrite `negotiation_log.json`, also where the negotiation was interrupted. Gives when what was committed."""
        log = NegotiationLog(LogReader(self.kept.log_path(build_id), EVENTS), build_id)
        write_atomic(Path(self.config.output_dir) / NEGOTIATION_LOG, to_json(log.to_dict(), readable=True))
        return log.times

    def _build_result(self, build_id: str, outcome: NegotiationOutcome, seats: Seats) -> NegotiationResult:
        changed = bool(outcome.commits) and not self.config.dry_run
        project = self.project.rescan() if changed else self.project
        usage = seats.table.spending.report() if seats.table else {}
        ends = [p.outcome for p in outcome.proposals]
        summary = {
            "model": seats.model or "rules",
            "dry_run": self.config.dry_run,
            "reason": outcome.reason,
            "rounds": outcome.rounds,
            "proposals": len(ends),
            "outcomes": {end: ends.count(end) for end in dict.fromkeys(ends)},
            "unheard": list(outcome.unheard),
            "usage": usage,
        }
        return NegotiationResult(
            project=project,
            linked=link_project(project) if changed else self.linked,
            build_id=build_id,
            commits=outcome.commits,
            modified_files=() if self.config.dry_run else outcome.modified_files,
            summary=summary,
            result=outcome,
        )

    def _observe_step(self, what: Ask | Apply | Wait | Event, reply: Reply | None) -> None:
        if isinstance(what, Event):
            self.observe("fact", {"kind": what.kind, "fact": what.to_dict()})
        elif isinstance(what, Apply):
            self.observe("applying", {"kind": what.kind, "proposal_id": what.about.get("proposal_id")})
        elif isinstance(what, Ask):
            question = {"id": what.id, "agent": what.to, "kind": what.kind}
            if reply is None:
                self.observe("asked", question)
            else:
                self.observe("answered", {**question, "why": reply.why, "usage": reply.usage})

    def _observe_progress(self, progress: Any) -> None:
        shown_fields = ("what", "agent", "kind", "model", "thinking", "tokens", "cost_usd")
        self.observe("progress", {name: getattr(progress, name) for name in shown_fields})


def _note_commits(session: Session[Any, NegotiationOutcome], voices: OwnVoices, observe: Observe) -> Observe:
    """`told`, which also notes every commit for the nodes that speak for themselves: those before a restart as well,
    because the nodes were made anew."""

    def note(record: ProposalRecord) -> None:
        voices.note_commit(build_commit_record(record, time.time()), record.audience)

    for record in session.state.queue.records.values():
        if record.stage is Stage.COMMITTED:
            note(record)

    def tell(what: Ask | Apply | Wait | Event, reply: Reply | None) -> None:
        observe(what, reply)
        if isinstance(what, ProposalCommitted):
            note(session.state.queue[what.proposal_id])

    return tell


def _add_times(outcome: NegotiationOutcome, times: Mapping[str, float]) -> NegotiationOutcome:
    """The outcome with the times of its commits, which the log has as envelope."""
    commits = tuple(replace(c, timestamp=times.get(c.proposal_id, 0.0)) for c in outcome.commits)
    return replace(outcome, commits=commits)


def _stop(driver: Driver, session: Session[Any, NegotiationOutcome], why: str) -> None:
    if session.outcome is None:
        driver.submit(session, "budget", {"move": "stop", "why": why})


async def _apply(engine: CommitEngine, want: Apply) -> Mapping[str, Any]:
    """Run an effect. Cancelled, what it runs is ended; if its files were written by then, it is recorded first."""
    work = asyncio.ensure_future(
        run_in_thread(lambda: retry_on_parser_fault(lambda: engine.apply(want.kind, want.about)), "commit")
    )
    task = asyncio.current_task()
    assert task is not None
    cancelled = 0
    while not work.done():
        try:
            await asyncio.wait({work})
        except asyncio.CancelledError:
            cancelled += 1
            engine.stop()
    if cancelled:
        if isinstance(work.exception(), CommitStopped):
            raise asyncio.CancelledError
        task.cancel()  # strikes where the negotiation waits next: after this result is in the log
    return work.result()


async def _try(engine: CommitEngine, seats: Mapping[str, Participant], ask: Ask, body: Json) -> Json | None:
    """Try what a model proposes before anybody is asked about it. Others try for themselves, or rehearse: of theirs
    only the links are looked at, where contracts alone do not tell what is broken."""
    is_model = isinstance(seats.get(ask.to), LLMParticipant)
    if not is_model and not may_change_links(ask, body):
        return None
    try_diff = engine.try_diff if is_model else engine.try_links
    work = asyncio.ensure_future(
        run_in_thread(lambda: retry_on_parser_fault(lambda: try_answer(ask, body, try_diff)), "try")
    )
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        engine.stop()
        await asyncio.wait({work})
        raise


def _redo_commits(engine: CommitEngine, protocol: ProposalProtocol, start: ProposalConfig, log: Log) -> None:
    """A dry run's copy is new each time: what was committed in it is committed in it again."""
    state = protocol.open(start)
    for entry in log:
        if entry.event.kind == "proposal_committed":
            want = next(iter(protocol.pending(state)))
            assert isinstance(want, Apply)
            engine.apply(want.kind, want.about)
        if not isinstance(entry.event, AnswerRefused):
            state = protocol.evolve(state, entry.event)


def _check_dirty_tree(root: Path) -> list[str]:
    """A sentence if the project stands in a git working tree with uncommitted changes to it."""
    try:
        process = run_git(root, "status", "--porcelain", "--untracked-files=no", "--", ".", timeout_s=10)
    except OSError:
        return []
    if process.returncode == 0 and (obstacle := git.find_obstacle(root)) is not None:
        return [f"In git {obstacle}. What the agents change comes on top of it."]
    status_lines = process.stdout.decode(errors="replace").splitlines()
    changed = [line[3:] for line in status_lines if line.strip()] if process.returncode == 0 else []
    if not changed:
        return []
    what = f"The working tree has uncommitted changes ({join_few(changed, 3)})"
    return [f"{what}; commit them first to see what the agents changed."]


def _is_budget(error: ParticipantError) -> bool:
    from graphbus_core.participants.llm import BudgetSpent

    return isinstance(error, BudgetSpent)
