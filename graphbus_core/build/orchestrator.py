"""The negotiating half of a build: seats the participants, runs the session, lets commits through the gates.

`AgentOrchestrator` is the seed's name (seed 002 §4.1, step 5). The rules of the negotiation stand in
`negotiation.proposal`; what touches files stands in `build.commit`; this only brings them together.
"""

from __future__ import annotations

import asyncio
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphbus_core.artifacts import NEGOTIATION_LOG, ArtifactFolder
from graphbus_core.artifacts.format import to_json
from graphbus_core.artifacts.write import put_file
from graphbus_core.build.builder import Hooks, Negotiated
from graphbus_core.build.commit import CommitEngine
from graphbus_core.build.link import Linked, link
from graphbus_core.build.protected import protected
from graphbus_core.build.scan import Project
from graphbus_core.build.seats import Seats, seat
from graphbus_core.config import BuildConfig
from graphbus_core.errors import ArtifactError, ParticipantError, UsageError
from graphbus_core.negotiation.core import Apply, Ask, Driver, Event, Reply, Session, Wait
from graphbus_core.negotiation.core.blocking import run_blocking
from graphbus_core.negotiation.proposal.config import ProposalConfig, differences
from graphbus_core.negotiation.proposal.events import EVENTS, NegotiationOpened, ProposalCommitted
from graphbus_core.negotiation.proposal.life import Stage
from graphbus_core.negotiation.proposal.outcome import NegotiationOutcome, commit_record
from graphbus_core.negotiation.proposal.projection import NegotiationLog
from graphbus_core.negotiation.proposal.rules import ProposalProtocol
from graphbus_core.negotiation.proposal.state import Record
from graphbus_core.stores.negotiations import Kept, Negotiations
from graphbus_core.stores.reading import LogReader

if TYPE_CHECKING:
    from graphbus_core.build.own_voices import OwnVoices

Observe = Callable[[Ask | Apply | Wait | Event, Reply | None], None]


def negotiate(config: BuildConfig, project: Project, linked: Linked, hooks: Hooks) -> Negotiated:
    """Let the agents of `project` negotiate, and commit what they agree on. See `AgentOrchestrator`."""

    async def run() -> Negotiated:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None

        def cancel() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(task.cancel)

        hooks.begin(cancel)
        return await AgentOrchestrator(config, project, linked, hooks).run()

    return run_blocking(run())


class AgentOrchestrator:
    """One negotiation of one build.

    `hooks.observe(kind, data)` is told what happens: `notice`, `opened`, `asked`, `answered`, `fact`, `applying`,
    `progress`.
    Cancelling `run` (Ctrl-C) loses nothing: what was answered is kept, and a build with `resume` goes on.
    """

    def __init__(self, config: BuildConfig, project: Project, linked: Linked, hooks: Hooks | None = None) -> None:
        patterns, self._unprotected = protected(config.safety_config.protected_files, project.root, project.files)
        self.config = replace(config, safety_config=replace(config.safety_config, protected_files=patterns))
        self.project = project
        self.linked = linked
        self.hooks = hooks or Hooks()
        self.observe = self.hooks.observe
        self.kept = Negotiations(config.output_dir)

    async def run(self) -> Negotiated:
        """Negotiate to the end. Raises UsageError where a resumed build is not as it was left."""
        seats = seat(self.project, self.config, watch=self._progress, approver=self.hooks.approver)
        try:
            return await self._run(seats)
        finally:
            if seats.voices is not None:
                seats.voices.close()

    async def _run(self, seats: Seats) -> Negotiated:
        # The engine takes the build's lock, and settles a commit that was cut off.
        with CommitEngine(self.project, self.config, rehearse=seats.are_rules) as engine:
            build_id, start = self._which(self._start_state())
            engine.build_id = build_id
            costs = seats.table.notes() if seats.table else ()
            for warning in self._unprotected:
                self.observe("notice", {"text": warning, "warning": True})
            for note in (*_dirty_tree(self.project.root), *seats.notes, *costs, *engine.notes):
                self.observe("notice", {"text": note})
            log, answers = self.kept.open(build_id, EVENTS)
            dry = {"dry_run": self.config.dry_run}
            with log, answers:
                self.observe("opened", {"build_id": build_id, "log": str(log.path), "resumed": len(log) > 0, **dry})
                if seats.table:  # what was paid for before the build was cut off counts towards its budget
                    seats.table.ledger.restore(reply.usage for _, reply in answers)

                async def apply(want: Apply) -> Mapping[str, Any]:
                    return await asyncio.to_thread(engine.apply, want.kind, want.about)

                session = Session(ProposalProtocol(), start, log)
                told: Observe = self._told
                if seats.voices is not None and not self.config.dry_run:
                    told = _telling(session, seats.voices, self._told)
                driver = Driver({**seats.participants, **self.hooks.seats}, answers, apply, told)
                try:
                    outcome = await self._drive(driver, session)
                    if seats.voices is not None:
                        await seats.voices.hear()
                finally:
                    times = self._project(build_id)
        if seats.table and seats.table.ledger.total.requests:
            self.observe("notice", {"text": seats.table.ledger.sentence()})
        return self._negotiated(build_id, _timed(outcome, times), seats)

    async def _drive(self, driver: Driver, session: Session[Any, NegotiationOutcome]) -> NegotiationOutcome:
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

    def _start_state(self) -> ProposalConfig:
        order = {name: i for i, name in enumerate(self.linked.graph.get_agent_activation_order())}
        return ProposalConfig(
            agents=tuple(sorted(self.project.agents, key=lambda a: order[a.name])),
            links=tuple(self.linked.links),
            mismatches=tuple(self.linked.mismatches),
            safety=self.config.safety_config,
            intent=self.config.intent,
            goals=tuple(self.config.refactoring_goals or ()),
            human_in_loop=self.config.enable_human_in_loop,
            files=dict(self.project.files),
            dry_run=self.config.dry_run,
        )

    def _which(self, fresh: ProposalConfig) -> tuple[str, ProposalConfig]:
        """A new negotiation; or, where the build is resumed, the unfinished one and the state that it started from."""
        left = self.kept.unfinished()
        if self.config.resume and left is None:
            left = self._unfrozen()
        if not self.config.resume:
            if left is not None and not self.config.fresh:
                text = f"{left.build_id} was not finished. This build starts fresh; --resume would go on with that one."
                self.observe("notice", {"text": text})
            return self.kept.new_id(datetime.now(UTC)), fresh
        if left is None:
            raise UsageError("There is no unfinished negotiation to resume. Leave --resume out to start one.")
        facts = [entry.event for entry in LogReader(left.path, EVENTS)]
        opened = facts[0]
        assert isinstance(opened, NegotiationOpened)
        if fresh.dry_run and any(fact.kind == ProposalCommitted.kind for fact in facts):
            raise UsageError(
                f"{left.build_id} was a dry run, and the copy that its commits went to is gone: there is nothing to go "
                "on with. Leave --resume out to start it over."
            )
        if said := differences(opened, fresh) + _moved_files(opened, facts, fresh.files):
            raise UsageError(
                f"{left.build_id} cannot be resumed, because {'; '.join(said)}. "
                "Put that back as it was, or start over with --fresh."
            )
        return left.build_id, ProposalConfig.from_opened(opened)

    def _unfrozen(self) -> Kept | None:
        """The newest negotiation, if it ended and the build was cut off before it wrote its artifacts."""
        newest = self.kept.newest()
        try:
            frozen = ArtifactFolder(self.config.output_dir).summary.get("build_id")
        except ArtifactError:
            frozen = None
        return newest if newest is not None and newest.ended and newest.build_id != frozen else None

    def _project(self, build_id: str) -> Mapping[str, float]:
        """Rewrite `negotiation_log.json`, also where the negotiation was interrupted. Gives when what was committed."""
        log = NegotiationLog(LogReader(self.kept.log_path(build_id), EVENTS), build_id)
        put_file(Path(self.config.output_dir) / NEGOTIATION_LOG, to_json(log.to_dict(), readable=True))
        return log.times

    def _negotiated(self, build_id: str, outcome: NegotiationOutcome, seats: Seats) -> Negotiated:
        changed = bool(outcome.commits) and not self.config.dry_run
        project = self.project.again() if changed else self.project
        usage = seats.table.ledger.report() if seats.table else {}
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
        return Negotiated(
            project=project,
            linked=link(project.agents) if changed else self.linked,
            build_id=build_id,
            commits=outcome.commits,
            modified_files=() if self.config.dry_run else outcome.modified_files,
            summary=summary,
            result=outcome,
        )

    def _told(self, what: Ask | Apply | Wait | Event, reply: Reply | None) -> None:
        if isinstance(what, Event):
            self.observe("fact", {"kind": what.kind, "fact": what.to_dict()})
        elif isinstance(what, Apply):
            self.observe("applying", {"kind": what.kind, "proposal_id": what.about.get("proposal_id")})
        elif isinstance(what, Ask):
            told = {"id": what.id, "agent": what.to, "kind": what.kind}
            if reply is None:
                self.observe("asked", told)
            else:
                self.observe("answered", {**told, "why": reply.why, "usage": reply.usage})

    def _progress(self, progress: Any) -> None:
        told = ("what", "agent", "kind", "model", "thinking", "tokens", "cost_usd")
        self.observe("progress", {name: getattr(progress, name) for name in told})


def _telling(session: Session[Any, NegotiationOutcome], voices: OwnVoices, told: Observe) -> Observe:
    """`told`, which also notes every commit for the nodes that speak for themselves: those before a restart as well,
    because the nodes were made anew."""

    def note(record: Record) -> None:
        voices.committed(commit_record(record, time.time()), record.audience)

    for record in session.state.queue.records.values():
        if record.stage is Stage.COMMITTED:
            note(record)

    def tell(what: Ask | Apply | Wait | Event, reply: Reply | None) -> None:
        told(what, reply)
        if isinstance(what, ProposalCommitted):
            note(session.state.queue[what.proposal_id])

    return tell


def _timed(outcome: NegotiationOutcome, times: Mapping[str, float]) -> NegotiationOutcome:
    """The outcome with the times of its commits, which the log has as envelope."""
    commits = tuple(replace(c, timestamp=times.get(c.proposal_id, 0.0)) for c in outcome.commits)
    return replace(outcome, commits=commits)


def _stop(driver: Driver, session: Session[Any, NegotiationOutcome], why: str) -> None:
    if session.outcome is None:
        driver.submit(session, "budget", {"move": "stop", "why": why})


def _moved_files(opened: NegotiationOpened, facts: list[Event], now: Mapping[str, str]) -> list[str]:
    """Files that are not as the negotiation left them. What the commit under way touches is the gates' business."""
    expected: dict[str, str | None] = dict(opened.files)
    agreed: Mapping[str, Any] = {}
    for fact in facts:
        if fact.kind == "proposal_committed":
            expected.update(getattr(fact, "receipt", {}).get("after", {}))
        elif fact.kind == "proposal_tabled":
            agreed = {**agreed, **dict.fromkeys(getattr(fact, "computed", {}).get("files", ()))}
    moved = [path for path, digest in expected.items() if now.get(path) != digest and path not in agreed]
    return [f"{path} was changed since" if path in now else f"{path} is gone" for path in moved[:5]]


def _dirty_tree(root: Path) -> list[str]:
    """A sentence if the project stands in a git working tree with uncommitted changes to it."""
    try:
        done = subprocess.run(
            ["git", "-C", str(root), "status", "--porcelain", "--untracked-files=no", "--", "."],
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return []
    changed = [line[3:] for line in done.stdout.splitlines() if line.strip()] if done.returncode == 0 else []
    if not changed:
        return []
    shown = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
    return [f"The working tree has uncommitted changes ({shown}); commit them first to see what the agents changed."]


def _is_budget(error: ParticipantError) -> bool:
    from graphbus_core.participants.llm import BudgetSpent

    return isinstance(error, BudgetSpent)
