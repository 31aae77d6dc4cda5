"""`consent ask`: a few questions to each party, then one proposal to all; nobody fills in a table of scores.

Each seat's answers are kept in a file of its own that its owner alone can read (`seats/NAME.jsonl`, mode 600), durable
before they are used. Questions of one round go to all seats at once and depend on earlier rounds alone, so a run that
was killed asks again only what is unanswered. Then the mediator tables what it found, and the negotiation's own rules
take over: everybody votes, votes are bound to the proposal's hash, the log is the record.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from graphbus_core.errors import UsageError
from graphbus_core.logs.jsonl import JsonlLog
from graphbus_core.negotiation.consent.certificate import build_attestation
from graphbus_core.negotiation.consent.elicitation.mediator import PROVEN_REGRET, SealedMediator
from graphbus_core.negotiation.consent.elicitation.preference_model import LOOSE, SLACK, PreferenceModel, find_center
from graphbus_core.negotiation.consent.elicitation.questions import (
    DEPENDS,
    Query,
    QueryKind,
    build_compare_ask,
    build_contradiction_ask,
    build_dependence_ask,
    build_minimum_ask,
    build_read_back_ask,
    build_red_lines_ask,
    build_reword_ask,
    explain_invalid_response,
    parse_choice,
)
from graphbus_core.negotiation.consent.events import EVENTS, MEDIATOR, Outcome
from graphbus_core.negotiation.consent.optimum.search import require_libraries
from graphbus_core.negotiation.consent.protocol import ConsentProtocol
from graphbus_core.negotiation.consent.questions import STAND_ASIDE
from graphbus_core.negotiation.consent.red_lines.reading import read_sentence
from graphbus_core.negotiation.consent.red_lines.wording import build_red_lines
from graphbus_core.negotiation.consent.scenario.model import MinimumScore, RedLine, Scenario
from graphbus_core.negotiation.consent.state import State
from graphbus_core.negotiation.consent.transcript import render_block
from graphbus_core.negotiation.core import Answered, Ask, Json, Participant, Session, Silent, View
from graphbus_core.negotiation.core.driver import run_blocking
from graphbus_core.sessions.consent.files import CommsLedger, Run
from graphbus_core.sessions.consent.preparation import PreparedNegotiation
from graphbus_core.sessions.consent.runner import (
    FinishedNegotiation,
    build_start_record,
    conclude_negotiation,
    render_status,
    write_outputs,
)
from graphbus_core.sessions.consent.seat_links import build_link_seat, clear_desk
from graphbus_core.storage.atomic_files import append, cut_torn, iter_whole_lines, open_lines

# What a party will bear, not what a proof needs: docs/consent.md has the measured tables, where 14.6 are asked on
# average and the bound of 5 % is reached on few. More questions would prove more, and nobody would answer them.
QUESTIONS = 15  # of one party, its minimum counted, and whether issues depend on each other
TRIES = 3  # answers to one question before it is passed over
Tell = Callable[[str], None]


def _ignore_message(text: str) -> None:
    """Nobody is told."""


class SeatAnswerFile:
    """What one seat was asked and answered. A line that is torn or altered is not an answer, and is asked again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.kept: dict[str, Any] = {}
        if self.path.exists():
            with self.path.open("rb") as lines:
                for _, _, line in iter_whole_lines(lines):
                    # Earlier editions closed a torn line and wrote on: that is not an answer, and is asked again.
                    with suppress(ValueError, KeyError, TypeError):
                        entry = json.loads(line)
                        self.kept[entry["ask"]] = entry["answer"]

    def save(self, ask: Ask, answer: Json) -> None:
        """Write it down, durably."""
        line = json.dumps({"ask": ask.id, "text": ask.about["text"], "answer": answer}, ensure_ascii=False)
        # O_NOFOLLOW: a link laid in this folder by somebody else would send private answers to a file of theirs.
        fd = open_lines(self.path, follow=False, mode=0o600)
        try:
            cut_torn(fd)  # or this answer would be part of what a kill left
            append(fd, (line + "\n").encode(), durable=True)
        finally:
            os.close(fd)
        # Only after the fsync: what memory has and the disk has not would be asked again after a crash, and may
        # differ.
        self.kept[ask.id] = answer


def _build_seat_path(folder: Path, name: str) -> Path:
    # The name comes from a scenario and becomes a file name: a slash or dots in it must not lead out of the folder.
    slug = re.sub(r"[^A-Za-z0-9_-]", "_", name)[:40] or "seat"
    return folder / f"{slug}.jsonl"


class PreferenceElicitation:
    """One sealed negotiation before the vote. `seats`: who answers for whom. `folder`: where answers are kept."""

    def __init__(
        self,
        scenario: Scenario,
        seats: Mapping[str, Participant],
        folder: Path | None,
        seed: int = 0,
        tell: Tell = _ignore_message,
    ) -> None:
        if not scenario.issues:
            raise UsageError("`consent ask` compares named options: give the decision `issues` with options.")
        self.scenario, self.seats, self.seed, self.tell = scenario, seats, seed, tell
        self.shape = tuple(len(i.options) for i in scenario.issues)
        self.files: dict[str, SeatAnswerFile] = {}
        # Used where no folder was given: tests and callers that want nothing on the disk still get answers kept once.
        self.memory: dict[str, Json] = {}
        self.counts = dict.fromkeys(scenario.names, 0)
        self.said: dict[str, list[tuple[Query, Any]]] = {n: [] for n in scenario.names}
        self.depends: frozenset[str] = frozenset()  # parties to whom issues depend on each other
        if folder is not None:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.files = {n: SeatAnswerFile(_build_seat_path(folder, n)) for n in scenario.names}

    async def answer(self, ask: Ask) -> Json | None:
        """The answer to one question: the one that is kept, else what the seat says; None after `TRIES` bad ones."""
        file = self.files.get(ask.to)
        saved_answer = file.kept.get(ask.id) if file is not None else self.memory.get(ask.id)
        # A kept answer is judged again: the scenario may have changed, and an older edition may have taken what is no
        # answer now.
        # `{}` stands for "passed over", which is an answer too, or a resumed run would ask the same person again.
        if saved_answer is not None and (not saved_answer or explain_invalid_response(ask, saved_answer) is None):
            return saved_answer if saved_answer else None
        body = await self.ask_seat(ask, explain_invalid_response)
        if body is None:
            self._save_answer(ask, {})
        return body

    async def ask_seat(self, ask: Ask, check: Callable[[Ask, Json], str | None]) -> Json | None:
        """What the seat says, and kept; None where it is silent, and after `TRIES` answers that `check` refused."""
        refused: tuple[str, ...] = ()
        for _ in range(TRIES):
            # An empty view: a seat of a sealed negotiation learns nothing of what others said before the vote.
            reply = await self.seats[ask.to].answer(ask, View((), refused))
            if reply.body is None:
                return None
            why = check(ask, reply.body)
            if why is None:
                self._save_answer(ask, dict(reply.body))
                return dict(reply.body)
            refused = (*refused, why)
        return None

    def _save_answer(self, ask: Ask, body: Json) -> None:
        if ask.to in self.files:
            self.files[ask.to].save(ask, body)
        else:
            self.memory[ask.id] = body

    # ------------------------------------------------------------------ before the questions

    async def begin(self) -> SealedMediator:
        """Red lines in everyone's own words, read back; what a deal must reach; then a mediator that knows both."""
        lines = dict(zip(self.scenario.names, await self._gather_from_everyone(self._ask_red_lines), strict=True))
        # Lines are added to those of the scenario, never in their place: somebody may have told one on paper
        # beforehand.
        seats = tuple(replace(a, red_lines=(*a.red_lines, *lines[a.name])) for a in self.scenario.advocates)
        self.scenario = replace(self.scenario, advocates=seats)
        mediator = SealedMediator(self.scenario, self.seed)
        shares = await self._gather_from_everyone(self._ask_minimum)
        # After the mediator is made: its constructor builds the cloud of preferences that a minimum then cuts.
        for name, share in zip(self.scenario.names, shares, strict=True):
            mediator.parties[name].set_minimum(share)
        joint = await self._gather_from_everyone(self._ask_dependence)
        self.depends = frozenset(n for n, depends in zip(self.scenario.names, joint, strict=True) if depends)
        return mediator

    async def _gather_from_everyone(self, ask_one: Callable[[str], Any]) -> list[Any]:
        return list(await asyncio.gather(*(ask_one(n) for n in self.scenario.names)))

    async def _ask_red_lines(self, name: str) -> tuple[RedLine, ...]:
        body = await self.answer(build_red_lines_ask(self.scenario, name))
        # Text that cannot be read as a rule is left to the vote. A guessed rule would forbid deals that nobody meant
        # to forbid.
        lines = (body or {}).get("lines", [])
        read = [await self._read_red_line(name, str(n), text) for n, text in enumerate(lines)]
        return tuple(line for parts in read for line in parts)

    async def _read_red_line(self, name: str, number: str, text: str, again: bool = True) -> tuple[RedLine, ...]:
        """What somebody's words exclude, by a yes to it. One more try in other words; else the vote alone tells."""
        issues = self.scenario.issues
        reading = read_sentence(text, issues)
        ways = (reading.excluded,) if reading.excluded is not None else reading.readings
        if ways:
            right = await self.answer(build_read_back_ask(self.scenario, name, number, text, reading))
            # Silence confirms nothing. A misread red line can hide the best deal, so only an explicit yes makes it
            # hold.
            if right is not None and right["choice"] <= len(ways):
                return build_red_lines(name, text, ways[right["choice"] - 1], issues)
        if not again:
            return ()
        body = await self.answer(build_reword_ask(self.scenario, name, number, text, reading))
        words = (body or {}).get("lines", [])
        read = [await self._read_red_line(name, f"{number}.{n}", said, False) for n, said in enumerate(words)]
        return tuple(line for parts in read for line in parts)

    async def _ask_minimum(self, name: str) -> float:
        body = await self.answer(build_minimum_ask(self.scenario, name))
        self.counts[name] += 1
        # A party that asks for the whole of its best deal leaves an empty set; .95 keeps the questions meaningful,
        # and the vote still lets it refuse.
        return min(0.95, float((body or {"share": 0})["share"]) / 100)

    async def _ask_dependence(self, name: str) -> bool:
        """Whether this party's preferences may not add up over the issues. Who does not say may have such."""
        if len([count for count in self.shape if count > 1]) < 2:
            return False
        body = await self.answer(build_dependence_ask(self.scenario, name))
        self.counts[name] += 1
        return body is None or bool(body["choice"] == DEPENDS)

    # ------------------------------------------------------------------ the questions

    async def run(self, mediator: SealedMediator) -> float:
        """Ask until nothing is left to ask; the bound of the regret that is left, 1 where none can be proven."""
        # Fewer: what was asked before them were questions too.
        for number in range(QUESTIONS - max(self.counts.values())):
            questions = {n: mediator.choose_next_question(n) for n in self.scenario.names}
            if not any(questions.values()):
                break
            self.tell(f"Question {max(self.counts.values()) + 1} of at most {QUESTIONS}.")
            # All parties at once, on the knowledge of earlier rounds alone: no answer can lean on one given a moment
            # before, and a replay meets the same questions whoever was quick.
            await asyncio.gather(
                *(self._ask_question(mediator, n, number, q) for n, q in questions.items() if q is not None)
            )
            # More answers could only sharpen what is proved well enough already; each question costs a person a
            # minute.
            if self.compute_bound(mediator) <= PROVEN_REGRET:
                break
        return self.compute_bound(mediator)

    def compute_bound(self, mediator: SealedMediator) -> float:
        """What is proven to be missing at most. Where issues depend on each other for somebody, nothing is: 1."""
        return 1.0 if self.depends else mediator.compute_bound()

    async def _ask_question(self, mediator: SealedMediator, name: str, number: int, question: Query) -> None:
        body = await self.answer(build_compare_ask(self.scenario, name, number, question))
        self.counts[name] += 1
        if body is None:
            mediator.asked[name].append(question)  # passed over: it is not asked again
            return
        answer = parse_choice(question, body)
        self.said[name].append((question, answer))
        if not mediator.learn(name, question, answer):
            await self._resolve_contradiction(mediator, name, number)

    async def _resolve_contradiction(self, mediator: SealedMediator, name: str, number: int) -> None:
        """Take this party's grades less exactly; where that is not enough, show the answers that cannot all be meant.

        A person is a step off here and there. That is not a contradiction to trouble anybody with: it makes the proof
        weaker, and the bound says so. What does not fit even then is shown back, and one of it is forgotten.
        """
        # Seeds of refits lie far from those of the first clouds, so that a refit never draws the same sample again.
        seed = self.seed * 1_000 + 500 + number
        fresh = self._refit_preference_model(mediator, name, seed, LOOSE)
        if fresh is not None:
            mediator.replace_model(name, fresh)
            return
        clash = find_clashing_answers(self._create_preference_model(mediator, name, seed, LOOSE), self.said[name])
        gone = await self._choose_answer_to_forget(name, number, clash)
        # By identity: two equal answers to two questions are two, and only one of them is withdrawn.
        self.said[name] = [s for s in self.said[name] if s is not gone]
        if gone[0].kind in (QueryKind.OPTIONS, QueryKind.SWING):
            mediator.asked[name].remove(gone[0])  # everything else builds on it: it is asked once more
        # From nothing, because a cloud only ever shrinks: an answer cannot be taken out of it again.
        fresh = self._create_preference_model(mediator, name, seed, LOOSE)
        for question, answer in self.said[name]:
            question.apply_answer(fresh, answer)
        mediator.replace_model(name, fresh)

    async def _choose_answer_to_forget(
        self, name: str, number: int, clash: list[tuple[Query, Any]]
    ) -> tuple[Query, Any]:
        """Which of the answers that do not fit together is not meant: the party says, and else the latest one."""
        if name in self.depends:
            # Its answers need not add up, and that is no mistake to show anybody.
            return next((c for c in clash if c[0].kind not in (QueryKind.OPTIONS, QueryKind.SWING)), clash[-1])
        texts = [_describe_answer(self.scenario, q, a) for q, a in clash]
        body = await self.answer(build_contradiction_ask(self.scenario, name, number, texts))
        # Who does not choose loses the latest answer: the earlier ones agreed with each other until it came.
        which: int = (body or {"choice": len(clash)})["choice"]
        return clash[which - 1]

    def _create_preference_model(
        self, mediator: SealedMediator, name: str, seed: int, within: float
    ) -> PreferenceModel:
        fresh = PreferenceModel(self.shape, seed, within=within)
        fresh.set_minimum(mediator.parties[name].least)
        return fresh

    def _refit_preference_model(
        self, mediator: SealedMediator, name: str, seed: int, within: float
    ) -> PreferenceModel | None:
        """A cloud of all that this party said, each grade right to so many steps; None where nothing fits it all."""
        fresh = self._create_preference_model(mediator, name, seed, within)
        return fresh if all(q.apply_answer(fresh, a) for q, a in self.said[name]) else None


def find_clashing_answers(fitting: PreferenceModel, answers: list[tuple[Query, Any]]) -> list[tuple[Query, Any]]:
    """A smallest set of answers, the last among them, that no preference fits: others are left out in turn."""
    clash = list(answers)
    for question, answer in answers:
        # Before any set is tried: which option is best and worst gives the scale that all other rows are written in.
        question.record_ends(fitting, answer)
    # The last answer stays, because it is the one that made the rest impossible: without it there is no clash to
    # show.
    for candidate in list(clash[:-1]):
        rest = [s for s in clash if s is not candidate]
        if not _are_consistent(fitting, rest):
            clash = rest
    return clash


def _are_consistent(fitting: PreferenceModel, answers: list[tuple[Query, Any]]) -> bool:
    rows, bounds = [], []
    for question, answer in answers:
        more, least = question.build_inequalities(fitting, answer)
        rows += more
        bounds += least
    # SLACK keeps rounding of the solver from calling a person's honest answers a contradiction.
    return not rows or find_center(np.array(rows), np.array(bounds) - SLACK, np.ones(fitting.width)) is not None


def _describe_answer(scenario: Scenario, question: Query, answer: Any) -> str:
    text, answers = question.describe(scenario.issues)
    if not isinstance(answer, list | tuple):
        return f"{text} — {answers[answer]}"
    return f"{text} — {', '.join(f'{a}: {grade}' for a, grade in zip(answers, answer, strict=True))}"


# ---------------------------------------------------------------------- the vote


async def hold_vote(
    asking: PreferenceElicitation, mediator: SealedMediator, bound: float, session: Session[State, Outcome]
) -> Outcome:
    """Table what the mediator found, one proposal at a time, until all consent or the turns are used up."""
    session.advance()
    while (outcome := session.outcome) is None:
        head = session.head
        if isinstance(head, Ask):
            await _settle_pending(asking, session)
            continue
        standing = mediator.choose_package()
        if standing is None:
            session.submit(
                MEDIATOR, {"end": "each deal that there is crosses somebody's red line, or somebody objected to it"}
            )
            continue
        why = _explain_quality(asking, mediator, bound)
        session.submit(MEDIATOR, {"terms": asking.scenario.build_terms(standing.package), "rationale": why})
        package = standing.package
        yes = await _collect_votes(asking, session)
        if session.outcome is None:
            for name, consents in yes.items():
                if not consents:
                    mediator.refuse(name, package)
            bound = asking.compute_bound(mediator)
    return outcome


def _explain_quality(asking: PreferenceElicitation, mediator: SealedMediator, bound: float) -> str:
    """The reason of what is tabled: the bound, and what it stands on."""
    count, parties = sum(asking.counts.values()), len(asking.counts)
    sentence = (
        f"Found from what each of the {parties} parties said in private: {count} questions, such as which of two "
        "deals it would rather have, answered one by one or by a ballot. With this deal the gains of all, multiplied, "
        "make the greatest product"
    )
    if asking.depends:
        return (
            f"{sentence}, as far as what each likes adds up point by point. For at least one party one point depends "
            "on another, so how far the best possible deal may be from it is not known"
        )
    if bound >= 1.0:
        return f"{sentence}; how far the best possible deal may be from it is not proven"
    steps = max(f.within for f in mediator.parties.values())
    missing = math.ceil(bound * 1000) / 10
    best = (
        f"it reaches at least {100 - missing:g}% of the best possible one" if missing else "no deal has a greater one"
    )
    return (
        f"{sentence}; {best}. That is proven as long as what each likes adds up point by point and fits their answers, "
        f"with each grade right to {steps:g} step{'' if steps == 1 else 's'}"
    )


async def _settle_pending(asking: PreferenceElicitation, session: Session[State, Outcome]) -> None:
    head = session.head
    assert isinstance(head, Ask), "asked only where a question is open"
    if head.kind == "position":
        given_position = dict(head.about["given"])
        session.settle(head.id, Answered({**given_position, "priority": given_position["priority"] or head.to}))
        return
    await _collect_votes(asking, session)


async def _collect_votes(asking: PreferenceElicitation, session: Session[State, Outcome]) -> dict[str, bool]:
    """Everyone's vote on what is tabled: asked at once, settled in order."""
    asks = [w for w in session.pending() if isinstance(w, Ask) and w.kind == "consent"]
    bodies = await asyncio.gather(*(_fetch_vote(asking, session, a) for a in asks))
    out = {}
    for ask, body in zip(asks, bodies, strict=True):
        session.settle(ask.id, Answered(body) if body is not None else Silent("no answer"))
        # Who stands aside lets the package pass: it says nothing against it that could be learnt from.
        out[ask.to] = body is not None and body.get("answer") in ("consent", STAND_ASIDE)
    return out


async def _fetch_vote(asking: PreferenceElicitation, session: Session[State, Outcome], ask: Ask) -> Json | None:
    ask = replace(ask, about={**ask.about, "text": f"Vote on {ask.about['proposal']['hash']}"})
    file = asking.files.get(ask.to)
    if file is not None and file.kept.get(ask.id):
        saved_vote: Json = file.kept[ask.id]
        return saved_vote
    return await asking.ask_seat(ask, session.check)


def open_session(scenario: Scenario, max_turns: int, log: Any) -> Session[State, Outcome]:
    """The session that the vote is held in."""
    from graphbus_core.negotiation.consent.events import ConsentConfig

    return Session(ConsentProtocol(), ConsentConfig(scenario, max_turns), log)


# A sealed negotiation from its first question to its document: the folder that keeps it, the seats, the vote.


def assign_question_seats(
    prepared: PreparedNegotiation, to_stderr: bool = False, run: Run | None = None, tell: Tell = lambda text: None
) -> dict[str, Participant]:
    """Who answers for whom: the models that were named, programs for seats with scores, people.

    People sit at the terminal; where the run was asked to, each behind a link of its own (`kept`: the run's folder).
    """
    # Before anybody is asked: a missing library after ten answers would throw a person's time away.
    require_libraries("numpy", "highspy")
    from graphbus_core.participants.advocates.elicitation_seats import ScoreTableSeat, SharedTerminal

    request, person = prepared.request, SharedTerminal(to_stderr=to_stderr)
    seats: dict[str, Participant] = {}
    for seat in prepared.scenario.advocates:
        model = request.models.get(seat.name, request.model)
        if model not in (None, "rules") and seat.name not in request.humans:
            seats[seat.name] = prepared.seats[seat.name]
        # A program answers from the table beside the seat, and the mediator never sees that table: it learns by
        # questions, so that a run with people and one with tables prove the same thing.
        elif seat.has_scores and seat.name not in request.humans:
            seats[seat.name] = ScoreTableSeat(prepared.scenario, seat)
        else:
            seats[seat.name] = person
    if request.links and run is not None:
        people = [n for n, p in seats.items() if p is person]
        seats.update(dict.fromkeys(people, build_link_seat(prepared, run, people, tell)))
    return seats


def strip_tables(scenario: Scenario) -> Scenario:
    """The decision as the mediator sees it: a table that stands beside a seat stays with that seat."""
    seats = []
    # A red line on a score says what the table says. It goes with the table, or the mediator could read it off.
    for seat in scenario.advocates:
        lines = tuple(line for line in seat.red_lines if not isinstance(line.rule, MinimumScore))
        seats.append(replace(seat, scores=None, conditionals=(), minimum=None, red_lines=lines))
    return replace(scenario, advocates=tuple(seats))


def ask_everyone(
    prepared: PreparedNegotiation, run: Run, seats: Mapping[str, Participant], tell: Tell = lambda text: None
) -> FinishedNegotiation:
    """Questions, then the vote. What was answered before a kill is not asked again."""
    return run_blocking(ask_everyone_async(prepared, run, seats, tell))


async def ask_everyone_async(
    prepared: PreparedNegotiation, run: Run, seats: Mapping[str, Participant], tell: Tell = lambda text: None
) -> FinishedNegotiation:
    """See `ask_everyone`."""
    ledger = CommsLedger(prepared.comms) if prepared.comms is not None else None
    if not (run.folder / "run.json").exists():
        run.write_record(build_start_record(prepared, ledger))
    ledger_offset = int(run.read_record().get("ledger_at", 0))
    # The mediator and the vote get the bare scenario alone. The full one is used again only for seats and for the
    # record.
    bare = strip_tables(prepared.scenario)
    asking = PreferenceElicitation(bare, seats, run.folder / "seats", prepared.request.seed or 0, tell)
    mediator = await asking.begin()
    bound = await asking.run(mediator)
    with JsonlLog(run.log, EVENTS, run.id, "consent") as log:
        outcome = await hold_vote(
            asking, mediator, bound, open_session(asking.scenario, prepared.config.max_turns, log)
        )
        entries = tuple(log)
        bound_to = build_attestation(prepared.scenario, entries, run.id, log.head.hash)
    events = tuple(e.event for e in entries)
    finished = conclude_negotiation(prepared.scenario, outcome, events, bound_to)
    if ledger is not None:
        # `catch_up` and not `append`: a run killed between vote and document writes only the blocks that are missing.
        ledger.catch_up(
            ledger_offset,
            [*[b for e in events if (b := render_block(e)) is not None], render_status(finished, prepared.output)],
        )
    write_outputs(prepared, finished, run.log)
    # Last, so that a run without `ended` is one whose document may be missing: resuming it writes the document again.
    run.write_record({**run.read_record(), "ended": outcome.status.value})
    if prepared.request.links:
        clear_desk(run)
    return finished
