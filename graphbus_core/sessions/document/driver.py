"""Participants of ours at the table of a directory: their questions are asked, their answers become moves.

Others (agents with any scripts, people with an editor) sit at the same table at the same time, so nothing is held while
a participant thinks: the directory is locked to see what is asked, and again to take the answer, if it is still wanted.
Every answer is kept before it is used; run again, nothing is asked twice.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from graphbus_core.errors import ParticipantError
from graphbus_core.negotiation.core import Answered, Answers, Ask, Json, Participant, Reply, Silent, View
from graphbus_core.negotiation.core.driver import ask_participant, collect_refusals
from graphbus_core.negotiation.core.session import MAX_ATTEMPTS, strip_attempt
from graphbus_core.negotiation.document import questions
from graphbus_core.negotiation.document.fates import judge_fates
from graphbus_core.negotiation.document.model import FINAL, Phase
from graphbus_core.negotiation.document.protocol import Outcome
from graphbus_core.sessions.document import files
from graphbus_core.sessions.document.directory import NegotiationDirectory

Observer = Callable[[Ask, Reply | None], None]

# How soon an answer of somebody else is seen. Below it the processor, not the talk, would set the pace.
PAUSE_S = 0.2
HEARTBEAT_S = 5.0


class DirectoryDriver:
    """Who of ours sits in one negotiation. `judge` answers for whoever `Settings.judge` names; without one, `observe`
    hears once of each ruling that is waited for."""

    def __init__(
        self,
        directory: NegotiationDirectory,
        seats: Mapping[str, Participant],
        answers: Answers,
        judge: Participant | None = None,
        observe: Observer | None = None,
        pause_s: float = PAUSE_S,
        refused: Callable[[Ask, str], None] = lambda ask, why: None,
    ) -> None:
        self.directory = directory
        self.seats = seats
        self.answers = answers
        self.judge = judge
        self.observe: Observer = observe or (lambda ask, reply: None)
        self.pause_s = pause_s
        self.refused = refused  # hears why an answer could not be taken, as soon as that is known
        # Rulings run beside the turns: the other issues go on while a judge thinks.
        self._rulings: dict[str, asyncio.Task[None]] = {}
        self._announced: set[str] = set()  # rulings that somebody else is to give
        self._failed: ParticipantError | None = None

    async def run(self) -> Outcome:
        """Until it is over. Cancelling loses nothing that was answered. Raises ParticipantError."""
        try:
            while True:
                if self._failed is not None:
                    raise self._failed
                outcome, asks, rulings = self._collect_wants()
                if outcome is not None:
                    return outcome
                for ask in rulings:
                    # By id, since the same ruling is wanted again on each pass until it is given.
                    if ask.id not in self._rulings:
                        self._rulings[ask.id] = asyncio.ensure_future(self._rule(ask))
                # Analyses are independent of each other by the seed: nobody has a turn yet, so all are asked at once.
                if asks and asks[0].kind in ("draft_issues", "analysis"):
                    await asyncio.gather(*(self._analyse(ask) for ask in asks))
                elif asks:
                    await self._take_turn(asks[0])
                else:
                    await asyncio.sleep(self.pause_s)
        finally:
            # Cancelled and then awaited: a task left behind would answer into a directory that is unlocked by now.
            for task in self._rulings.values():
                task.cancel()
            if self._rulings:
                await asyncio.gather(*self._rulings.values(), return_exceptions=True)

    def _collect_wants(self) -> tuple[Outcome | None, list[Ask], list[Ask]]:
        """How it ended; what is asked of our seats now; what is asked of the judge."""
        with self.directory.hold() as state:
            session = self.directory.session
            if session.outcome is not None:
                return session.outcome, [], []
            if state.phase is Phase.ANALYSIS or state.holder in self.seats or any(state.find_awaiting_judge()):
                wants = [want for want in session.pending() if isinstance(want, Ask)]
            else:
                wants = []  # somebody else's turn: its question need not be put together
        rulings = [w for w in wants if w.kind == "rule_issue"]
        if self.judge is None:
            for ask in rulings:
                # Once: a person who is waited for would see the same sentence five times a second.
                if ask.id not in self._announced:
                    self._announced.add(ask.id)
                    self.observe(ask, None)
            rulings = []
        return None, [w for w in wants if w.to in self.seats and w.kind != "rule_issue"], rulings

    async def _take_turn(self, ask: Ask) -> None:
        reply = await self._fetch_answer(ask, self.seats[ask.to])
        result = Silent(reply.why or "no answer") if reply.body is None else Answered(reply.body)
        # Locked anew. While the participant thought, somebody else may have moved, or its turn may have been skipped.
        with self.directory.hold():
            session = self.directory.session
            head = session.head
            if not isinstance(head, Ask) or head.id != ask.id:
                return  # it took too long and was skipped: the answer is kept, and no longer asked for
            # Checked again under the lock: the answer was good for the state of before.
            why = session.check(head, reply.body) if reply.body is not None else None
            if why is not None:
                self.refused(ask, why)
            elif ask.kind == "write_final" and reply.body is not None:
                self._write_audit(reply.body)
            session.settle(ask.id, result)

    def _write_audit(self, body: Json) -> None:
        """Where each statement of the sources went, said before the end: `coverage-audit.md`."""
        fates = judge_fates(self.directory.state, str(body.get("final") or self.directory.state.draft))
        lines = ["# Coverage audit", "", f"{len(fates.rows)} statements; {len(fates.left_out)} are left out.", ""]
        for fate in fates.rows:
            what = fate.kind if fate.issue != FINAL else "left out"
            place = f"sources/{fate.statement.source}.md:{fate.statement.line}"
            lines.append(f"- {place}: {f'in {FINAL}' if fate.line else what}: {fate.statement.text}")
        if omissions := questions.list_left_out(body):
            lines += ["", "## Left out, and why", "", *(f"- {reason}" for reason in omissions)]
        # A note for people. A full disk must not lose the final document for it.
        with suppress(OSError):
            files.write(self.directory.root / "coverage-audit.md", "\n".join(lines) + "\n", self.directory.hidden)

    async def _analyse(self, ask: Ask) -> None:
        reply = await self._ask_until_valid(ask, self.seats[ask.to])
        body = reply.body or {}
        drafted = (
            [{"topic": o, "title": t, "text": x} for o, t, x in questions.parse_drafted_issues(body)] if body else []
        )
        with self.directory.hold() as state:
            # The round of analyses may have been closed meanwhile, by a deadline or by its author's own file.
            if state.phase is Phase.ANALYSIS and ask.to not in state.analyses:
                move = {"move": "analysis", "text": str(body.get("analysis") or ""), "issues": drafted}
                self.directory.submit(ask.to, {**move, "why": "" if body else reply.why or "no answer"})

    async def _rule(self, ask: Ask) -> None:
        assert self.judge is not None
        try:
            reply = await self._ask_until_valid(ask, self.judge)
        except ParticipantError as e:
            # Kept and raised in `run`: an exception of a task that nobody awaits would be printed and forgotten.
            self._failed = e
            return
        stem = str(ask.about["issue"]["issue"])
        with self.directory.hold() as state:
            if any(issue.stem == stem for issue in state.find_awaiting_judge()):
                text = str(reply.body["decision"]) if reply.body else ""
                self.directory.submit(ask.to, {"move": "rule", "issue": stem, "text": text, "why": reply.why or ""})

    async def _ask_until_valid(self, ask: Ask, who: Participant) -> Reply:
        """An answer that is one, after at most MAX_ATTEMPTS; else silence with the last reason."""
        for number in range(1, MAX_ATTEMPTS + 1):
            # A new id for each try: answers are kept by id, and a bad one kept under the first would be given for
            # ever.
            attempt = ask if number == 1 else replace(ask, id=f"{strip_attempt(ask.id)}#{number}")
            reply = await self._fetch_answer(attempt, who)
            if reply.body is None:
                return reply
            why = self.directory.session.check(attempt, reply.body)
            if why is None:
                return reply
            self.refused(attempt, why)
        return Reply(None, f"{MAX_ATTEMPTS} malformed answers, the last: {why}")

    async def _fetch_answer(self, ask: Ask, who: Participant) -> Reply:
        """The answer to one ask, kept before it is used. Whoever thinks is alive."""
        saved_reply = self.answers.get(ask.id)
        if saved_reply is not None:
            return saved_reply
        self.observe(ask, None)
        beating = asyncio.ensure_future(self._send_heartbeats(ask))
        try:
            refused = collect_refusals(ask, self.answers, self.directory.session.check)
            reply = await ask_participant(who, ask, View((), refused))
        finally:
            beating.cancel()
        # What `put` gives back counts: another process of ours may have answered first.
        reply = self.answers.put(ask.id, reply)
        self.observe(ask, reply)
        return reply

    async def _send_heartbeats(self, ask: Ask) -> None:
        # A quarter of the time that is given: one beat may be lost to a busy machine and the holder still counts as
        # alive.
        pause = min(HEARTBEAT_S, (ask.within_s or HEARTBEAT_S) / 4)
        while ask.kind in ("turn", "write_final"):
            await asyncio.sleep(pause)
            self.directory.poll(ask.to)
