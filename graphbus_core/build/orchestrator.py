"""The negotiating half of a build: seats the participants, runs the session, lets commits through the gates.

`AgentOrchestrator` is the seed's name (seed 002 §4.1, step 5). The rules of the negotiation stand in
`negotiation.proposal`; what touches files stands in `build.commit`; this only brings them together.
"""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphbus_core.build.commit import CommitEngine
from graphbus_core.build.dossier import Dossier, dossiers
from graphbus_core.build.link import Linked
from graphbus_core.build.scan import Project
from graphbus_core.build.seats import Seats, seat
from graphbus_core.config import BuildConfig
from graphbus_core.errors import ParticipantError, UsageError
from graphbus_core.negotiation.core import Apply, Ask, Driver, Event, Participant, Reply, Session, Wait
from graphbus_core.negotiation.proposal.config import ProposalConfig, differences
from graphbus_core.negotiation.proposal.events import NegotiationOpened
from graphbus_core.negotiation.proposal.outcome import NegotiationOutcome
from graphbus_core.negotiation.proposal.rules import ProposalProtocol
from graphbus_core.stores.jsonl import JsonlAnswers, JsonlLog

Observer = Callable[[str, Mapping[str, Any]], None]


@dataclass(frozen=True)
class Negotiated:
    """How a build's negotiation ended, and where it can be read."""

    build_id: str
    outcome: NegotiationOutcome
    log: Path
    notes: tuple[str, ...] = ()
    usage: Mapping[str, Any] = field(default_factory=dict)


def negotiate(
    config: BuildConfig,
    project: Project,
    linked: Linked,
    observe: Observer | None = None,
    approver: Participant | None = None,
) -> Negotiated:
    """Let the agents of `project` negotiate, and commit what they agree on. See `AgentOrchestrator`."""
    return asyncio.run(AgentOrchestrator(config, project, linked, observe, approver).run())


class AgentOrchestrator:
    """One negotiation of one build.

    `observe(kind, data)` is told what happens: `notice`, `asked`, `answered`, `fact`, `applying`, `progress`.
    Cancelling `run` (Ctrl-C) loses nothing: what was answered is kept, and a build with `resume` goes on.
    """

    def __init__(
        self,
        config: BuildConfig,
        project: Project,
        linked: Linked,
        observe: Observer | None = None,
        approver: Participant | None = None,
    ) -> None:
        self.config = config
        self.project = project
        self.linked = linked
        self.observe: Observer = observe or (lambda kind, data: None)
        self.approver = approver
        self.output_dir = Path(config.output_dir)

    async def run(self) -> Negotiated:
        """Negotiate to the end. Raises UsageError where a resumed build is not as it was left."""
        fresh = self._start_state()
        dossier, started = self._dossier(fresh)
        for note in _dirty_tree(self.project.root):
            self.observe("notice", {"text": note})
        seats = seat(fresh.agents, self.config, watch=self._progress, approver=self.approver)
        for note in seats.notes:
            self.observe("notice", {"text": note})
        protocol = ProposalProtocol()
        with (
            JsonlLog(dossier.log, protocol.events, build_id=dossier.build_id) as log,
            JsonlAnswers(dossier.answers) as answers,
            CommitEngine(self.project.root, self.config) as engine,
        ):
            self.observe("opened", {"build_id": dossier.build_id, "log": str(dossier.log), "resumed": bool(started)})

            async def apply(want: Apply) -> Mapping[str, Any]:
                return await asyncio.to_thread(engine.apply, want.kind, want.about)

            driver = Driver(seats.participants, answers, apply, self._told)
            session = Session(protocol, started or fresh, log)
            outcome = await self._drive(driver, session, seats)
        usage = seats.table.ledger.report() if seats.table else {}
        return Negotiated(dossier.build_id, outcome, dossier.log, seats.notes, usage)

    async def _drive(self, driver: Driver, session: Session[Any, NegotiationOutcome], seats: Seats) -> NegotiationOutcome:
        """To the end; a budget that is used up, or a model that can never answer, is an end like any other."""
        llm = self.config.llm_config
        stop: asyncio.TimerHandle | None = None
        if llm is not None and llm.max_wall_s is not None:
            loop = asyncio.get_running_loop()
            why = f"max_wall_s ({llm.max_wall_s:g} s) is over"
            stop = loop.call_later(llm.max_wall_s, lambda: self._stop(driver, session, why))
        try:
            return await driver.run(session)
        except ParticipantError as e:
            if not _is_budget(e):
                raise
            self._stop(driver, session, str(e))
            return await driver.run(session)
        finally:
            if stop is not None:
                stop.cancel()

    def _stop(self, driver: Driver, session: Session[Any, NegotiationOutcome], why: str) -> None:
        if session.outcome is None:
            driver.submit(session, "budget", {"move": "stop", "why": why})

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
        )

    def _dossier(self, fresh: ProposalConfig) -> tuple[Dossier, ProposalConfig | None]:
        """A new dossier; or, where the build is resumed, the unfinished one with the state that it started from."""
        left = unfinished(self.output_dir)
        if not self.config.resume:
            if left is not None and not self.config.fresh:
                self.observe("unfinished", {"build_id": left.build_id})
                text = f"{left.build_id} was not finished. This build starts fresh; to go on with that one use --resume."
                self.observe("notice", {"text": text})
            return Dossier.new(self.output_dir), None
        if left is None:
            raise UsageError("There is no unfinished negotiation to resume. Leave --resume out to start one.")
        return left, self._as_it_was_left(left, fresh)

    def _as_it_was_left(self, left: Dossier, fresh: ProposalConfig) -> ProposalConfig | None:
        facts = [entry.event for entry in JsonlLog.read(left.log, ProposalProtocol.events)]
        opened = facts[0] if facts and isinstance(facts[0], NegotiationOpened) else None
        if opened is None:
            return None  # it ended before its first fact: nothing was asked
        said = differences(opened, fresh)
        said += _moved_files(opened, facts, fresh.files)
        if said:
            raise UsageError(
                f"{left.build_id} cannot be resumed, because {'; '.join(said)}. "
                "Put that back as it was, or start over with --fresh."
            )
        return ProposalConfig.from_opened(opened)

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
                self.observe("answered", {**told, "body": reply.body, "why": reply.why, "usage": reply.usage})

    def _progress(self, progress: Any) -> None:
        self.observe("progress", dict(vars(progress)))


def unfinished(output_dir: Path) -> Dossier | None:
    """The newest negotiation, if it has not ended."""
    for dossier in dossiers(output_dir)[:1]:
        kinds = [entry.event.kind for entry in JsonlLog.read(dossier.log, ProposalProtocol.events)]
        return None if "negotiation_ended" in kinds else dossier
    return None


def _moved_files(opened: NegotiationOpened, facts: list[Event], now: Mapping[str, str]) -> list[str]:
    """Files that are not as the negotiation left them. What a commit under way touches is the gates' business."""
    expected: dict[str, str | None] = dict(opened.files)
    for fact in facts:
        receipt: Mapping[str, Any] = getattr(fact, "receipt", {}) if fact.kind == "proposal_committed" else {}
        expected.update(receipt.get("after", {}))
    in_doubt = {p for fact in facts[-8:] for p in getattr(fact, "receipt", {}).get("files", ())}
    moved = [path for path, digest in expected.items() if now.get(path) != digest and path not in in_doubt]
    return [f"{path} was changed since" if path in now else f"{path} is gone" for path in moved[:5]]


def _dirty_tree(root: Path) -> list[str]:
    """A sentence if the project stands in a git working tree with uncommitted changes to it."""
    try:
        done = subprocess.run(
            ["git", "-C", str(root), "status", "--porcelain", "--untracked-files=no", "--", "."],
            capture_output=True, text=True, timeout=10, check=False,
        )  # fmt: skip
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
