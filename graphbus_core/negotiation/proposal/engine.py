"""`NegotiationEngine`: the face of a proposal session for whoever seats the participants (seed 000, seed 002 §7.3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphbus_core.errors import LogDamaged
from graphbus_core.negotiation.core import Answers, Driver, Log, Participant, Session
from graphbus_core.negotiation.core.driver import Effect, Observer
from graphbus_core.negotiation.proposal.config import ProposalConfig
from graphbus_core.negotiation.proposal.events import NegotiationOpened
from graphbus_core.negotiation.proposal.negotiation_log import render_negotiation
from graphbus_core.negotiation.proposal.protocol import STOP, ProposalProtocol
from graphbus_core.negotiation.proposal.state import NodeMemory, ProposalQueue, State
from graphbus_core.negotiation.proposal.vocabulary import NegotiationOutcome


class NegotiationEngine:
    """One proposal negotiation: open it on a log, run it with participants and an effect, look at it.

    A log that already holds facts is gone on with; `config` may then be None, for the log knows its start.
    """

    def __init__(self, config: ProposalConfig | None, log: Log, answers: Answers) -> None:
        opened = find_opening(log)
        if config is None:
            if opened is None:
                raise LogDamaged("this log does not begin with an opened proposal negotiation")
            config = ProposalConfig.from_opened(opened)
        self.answers = answers
        self.session: Session[State, NegotiationOutcome] = Session(ProposalProtocol(), config, log)
        self._driver: Driver | None = None

    @property
    def state(self) -> State:
        """How it stands."""
        return self.session.state

    @property
    def queue(self) -> ProposalQueue:
        """All proposals."""
        return self.state.queue

    @property
    def outcome(self) -> NegotiationOutcome | None:
        """How it ended, or None."""
        return self.session.outcome

    async def run(
        self, participants: Mapping[str, Participant], apply: Effect, observe: Observer | None = None
    ) -> NegotiationOutcome:
        """Run to the end. `apply` carries out `prepare` and `commit`. Cancelling loses nothing that was answered."""
        self._driver = Driver(participants, self.answers, apply, observe)
        return await self._driver.run(self.session)

    def stop(self, why: str, by: str = "engine") -> None:
        """Ask for the end: a budget is used up. A commit under way is finished first."""
        move = {"move": STOP, "why": why}
        if self.outcome is not None:
            return
        if self._driver is not None:
            self._driver.submit(self.session, by, move)
        else:
            self.session.submit(by, move)

    def memory(self, agent: str) -> NodeMemory:
        """What an agent carries from round to round."""
        return NodeMemory.from_state(self.state, agent)

    def to_dict(self, build_id: str = "", started_at: float | None = None) -> dict[str, Any]:
        """`negotiation_log.json` as it stands now."""
        return render_negotiation(self.state, build_id, started_at)


def find_opening(log: Log) -> NegotiationOpened | None:
    """The first fact of a log, if it opens a proposal negotiation."""
    for entry in log:
        return entry.event if isinstance(entry.event, NegotiationOpened) else None
    return None
