"""The core with a protocol of three questions: order, retries, refusals, moves, pins, and one append a step."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from graphbus_core.errors import IllegalMove, ParticipantError
from graphbus_core.logs.memory import MemoryAnswers, MemoryLog
from graphbus_core.negotiation.core import (
    Answered,
    AnswerRefused,
    Ask,
    Driver,
    Event,
    Feed,
    Reply,
    Session,
    Silent,
    Wait,
    make_unreadable,
)


@dataclass(frozen=True, slots=True)
class Said(Event):
    """Somebody answered."""

    kind = "said"
    who: str
    word: str | None


@dataclass(frozen=True, slots=True)
class Counted(Event):
    """A consequence of an answer."""

    kind = "counted"
    total: int


@dataclass(frozen=True, slots=True)
class Whispered(Event):
    """For one alone."""

    kind = "whispered"
    to: str

    def seen_by(self):
        """That one."""
        return (self.to,)


class Words:
    """Ask each of the names for a word, at once; a word has no digits. A move may end it early."""

    name = "words"
    events = {e.kind: e for e in (Said, Counted, Whispered, AnswerRefused)}

    def __init__(self, wait_s=None):
        self.wait_s = wait_s

    def open(self, config):
        return {"names": list(config), "said": [], "due": 0, "stop": False, "waited": self.wait_s is None}

    def pending(self, state):
        if not state["waited"]:
            yield Wait("wait", self.wait_s)
        for name in state["names"][len(state["said"]) :]:
            yield Ask(f"word.{name}", name, "word", {}, pin=0)

    def check(self, ask, body):
        return None if str(body.get("word", "")).isalpha() else "a word has letters only"

    def settle(self, state, want, result):
        if isinstance(want, Wait):
            return Counted(-1)
        return Said(want.to, result.body["word"] if isinstance(result, Answered) else None)

    def submit(self, state, who, move):
        return Whispered(who)

    def advance(self, state):
        return Counted(len(state["said"])) if state["due"] else None

    def evolve(self, state, event):
        if isinstance(event, Said):
            state["said"].append(event.word)
            state["due"] = 1
        elif isinstance(event, Counted):
            state["due"] = 0
            state["waited"] = True
        else:
            state["stop"] = True
        return state

    def outcome(self, state):
        over = state["stop"] or len(state["said"]) == len(state["names"])
        return tuple(state["said"]) if over and not state["due"] else None


class Seat:
    """Answers from a list, one a time that it is asked."""

    def __init__(self, *bodies, delay=0):
        self.bodies, self.delay, self.asked, self.refusals = list(bodies), delay, [], []

    async def answer(self, ask, view):
        self.asked.append(ask.id)
        self.refusals.append(view.refused)
        for _ in range(self.delay):
            await asyncio.sleep(0)
        body = self.bodies.pop(0)
        if isinstance(body, Exception):
            raise body
        return Reply(None, "mute") if body is None else Reply(body)


class CountingLog(MemoryLog):
    """A log that knows how often it was written to, and may fail."""

    def __init__(self, events=(), fail_at=None):
        super().__init__(events)
        self.appends, self.fail_at = 0, fail_at

    def append(self, events):
        self.appends += 1
        if self.appends == self.fail_at:
            raise OSError("disk full")
        super().append(events)


def run(seats, answers=None, log=None, names="ABC", protocol=None):
    """One run to its outcome."""
    session = Session(protocol or Words(), names, log if log is not None else MemoryLog())
    driver = Driver(seats, answers if answers is not None else MemoryAnswers())
    return asyncio.run(driver.run(session)), session


def word(text):
    """An answer."""
    return {"word": text}


def test_answers_are_settled_in_canonical_order_however_they_arrive():
    """The order in which answers arrive never matters."""
    slow_first = {n: Seat(word(n * 2), delay=9 - 3 * i) for i, n in enumerate("ABC")}
    outcome, session = run(slow_first)
    assert outcome == ("AA", "BB", "CC")
    assert [e.kind for e in session.feed.list_all()] == ["said", "counted"] * 3


def test_only_the_head_may_be_settled_and_anything_else_changes_nothing():
    """Order is enforced where it cannot be forgotten."""
    session = Session(Words(), "AB", MemoryLog())
    with pytest.raises(IllegalMove, match=r"word\.A comes first"):
        session.settle("word.B", Answered(word("x")))
    assert session.seq == 0
    session.settle("word.A", Silent("mute"))
    assert session.seq == 2


def test_trap_6_a_retry_is_a_new_question():
    """A reused id would replay the refused answer from the store for ever."""
    seat = Seat(word("l33t"), word("leet"))
    answers = MemoryAnswers()
    outcome, session = run({"A": seat, "B": Seat(word("b")), "C": Seat(word("c"))}, answers)
    assert outcome == ("leet", "b", "c")
    assert seat.asked == ["word.A", "word.A#2"]
    assert seat.refusals == [(), ("a word has letters only",)]
    refused = [e for e in session.feed.list_all() if isinstance(e, AnswerRefused)]
    assert refused == [AnswerRefused("word.A", "A", "a word has letters only")]
    assert answers.get("word.A") == Reply(word("l33t"))


def test_a_bad_answer_to_the_end_of_the_retries_is_silence():
    """Blame: refused with the reason, asked again a bounded number of times, then silence."""
    seat = Seat(*[word("1")] * 9)
    outcome, _ = run({"A": seat, "B": Seat(word("b")), "C": Seat(word("c"))})
    assert outcome == (None, "b", "c")
    assert len(seat.asked) == 3


def test_an_unreadable_answer_is_refused_with_its_own_reason():
    """What could not be read is handed back."""
    seat = Seat(make_unreadable("it was prose"), word("ok"))
    run({"A": seat, "B": Seat(word("b")), "C": Seat(word("c"))})
    assert seat.refusals[1] == ("it was prose",)


def test_a_participant_that_fails_or_is_not_there_is_silent():
    """Silence is never a yes, and never an exception."""
    outcome, _ = run({"A": Seat(ValueError("boom")), "C": Seat(None)})
    assert outcome == (None, None, None)


def test_a_participant_that_can_never_answer_ends_the_run():
    """ParticipantError says that no question will ever be answered."""
    with pytest.raises(ParticipantError):
        run({"A": Seat(ParticipantError("no key")), "B": Seat(word("b")), "C": Seat(word("c"))})


def test_no_stored_answer_is_asked_for_again():
    """The answer is kept before it is used; the first one wins."""
    answers = MemoryAnswers()
    run({n: Seat(word(n)) for n in "ABC"}, answers)
    again = {n: Seat() for n in "ABC"}
    outcome, _ = run(again, answers)
    assert outcome == ("A", "B", "C")
    assert all(not s.asked for s in again.values())
    assert answers.put("word.A", Reply(word("late"))) == Reply(word("A"))


def test_a_step_is_one_append():
    """A fact and its consequences reach the disk together, before anybody is told."""
    log = CountingLog()
    run({n: Seat(word(n)) for n in "ABC"}, log=log)
    assert (log.appends, len(log.events)) == (3, 6)


@pytest.mark.parametrize("cut", range(7))
def test_a_log_that_ends_anywhere_is_gone_on_with(cut):
    """Consequences depend on the state alone, so a crash inside a step leaves nothing undone."""
    answers, whole = MemoryAnswers(), MemoryLog()
    run({n: Seat(word(n)) for n in "ABC"}, answers, whole)
    log = MemoryLog(whole.events[:cut])
    outcome, _ = run({n: Seat() for n in "ABC"}, answers, log)
    assert outcome == ("A", "B", "C")
    assert log.events == whole.events


def test_a_session_whose_log_failed_goes_no_further():
    """The state may be ahead of the log; only the log counts."""
    session = Session(Words(), "AB", CountingLog(fail_at=1))
    with pytest.raises(OSError, match="disk full"):
        session.settle("word.A", Answered(word("x")))
    with pytest.raises(IllegalMove, match="open the session again"):
        session.settle("word.B", Answered(word("x")))


def test_a_move_comes_in_while_somebody_thinks():
    """A submitted move has its place in the log at once, and the run looks again."""

    class Thinks:
        async def answer(self, ask, view):
            await asyncio.sleep(60)

    async def go():
        session = Session(Words(), "A", MemoryLog())
        driver = Driver({"A": Thinks()}, MemoryAnswers())
        asyncio.get_running_loop().call_later(0.01, driver.submit, session, "Z", {})
        return await asyncio.wait_for(driver.run(session), 5), session

    outcome, session = asyncio.run(go())
    assert outcome == ()
    assert session.feed.list_all() == [Whispered("Z")]


def test_a_wait_ends_by_itself_or_by_a_move():
    """Nothing to be done before it is over, unless somebody submits a move."""
    outcome, session = run({"A": Seat(word("a"))}, names="A", protocol=Words(0.01))
    assert outcome == ("a",)
    assert session.feed.list_all()[0] == Counted(-1)


def test_cancelling_loses_nothing_that_was_answered():
    """Ctrl-C: what was answered is kept."""
    answers = MemoryAnswers()

    class Never:
        async def answer(self, ask, view):
            await asyncio.sleep(60)

    async def go():
        session = Session(Words(), "AB", MemoryLog())
        task = asyncio.ensure_future(Driver({"A": Never(), "B": Seat(word("b"))}, answers).run(session))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(go())
    assert answers.get("word.B") == Reply(word("b"))


def test_a_pin_is_not_moved_by_somebody_elses_stammering():
    """Refused answers are not the protocol's facts; they do not count."""
    feed = Feed()
    for event in (Said("A", "x"), AnswerRefused("q", "B", "no"), AnswerRefused("q", "A", "no"), Said("B", "y")):
        feed.post(event)
    assert [seq for seq, _ in feed.view("A", 1)] == [1, 3]
    assert [seq for seq, _ in feed.view("A", 2)] == [1, 3, 4]
    assert [seq for seq, _ in feed.view("C")] == [1, 4]


def test_an_audience_sees_its_own_and_what_is_public():
    """Posting costs the size of the audience."""
    feed = Feed()
    for event in (Whispered("A"), Said("B", "x"), Whispered("B")):
        feed.post(event)
    assert [e for _, e in feed.view("A")] == [Whispered("A"), Said("B", "x")]
