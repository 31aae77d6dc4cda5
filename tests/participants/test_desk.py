"""The desk: bounded, safe across threads, and an answer that is none is not taken."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from graphbus_core.errors import UsageError
from graphbus_core.negotiation.core import Ask, View
from graphbus_core.participants.people.desk import Desk, DeskParticipant


def test_answered_from_another_thread() -> None:
    """The negotiation waits in its loop; the answer comes from outside; the question leaves the desk."""
    told: list[str] = []
    desk = Desk(observe=lambda kind, data: told.append(kind))

    def answer() -> None:
        while not desk.list_open():
            time.sleep(0.005)
        desk.answer("1", {"approve": True})

    threading.Thread(target=answer, daemon=True).start()
    ask = Ask("1", "human", "approve", {})
    reply = asyncio.run(asyncio.wait_for(DeskParticipant(desk).answer(ask, View(())), 5))
    assert reply.body == {"approve": True}
    assert (desk.list_open(), told) == ([], ["question", "answered"])


def test_what_is_no_answer_is_refused_and_the_question_stays() -> None:
    """The checker's reason reaches whoever answered."""
    desk = Desk(check=lambda ask, body: None if "approve" in body else "say approve")
    desk.add(Ask("1", "human", "approve", {}))
    with pytest.raises(UsageError, match="say approve"):
        desk.answer("1", {})
    with pytest.raises(KeyError):
        desk.answer("2", {"approve": True})
    assert [q.ask.id for q in desk.list_open()] == ["1"]


def test_ten_thousand_questions_do_not_pile_up() -> None:
    """A full desk refuses, and says so as silence."""
    desk = Desk(max_open=1_000)
    refused = 0
    for i in range(10_000):
        try:
            desk.add(Ask(str(i), "human", "approve", {}))
        except UsageError:
            refused += 1
    assert (len(desk.list_open()), refused) == (1_000, 9_000)
    reply = asyncio.run(DeskParticipant(desk).answer(Ask("x", "human", "approve", {}), View(())))
    assert reply.body is None
    assert "1000 questions are open" in (reply.why or "")


def test_a_cancelled_question_leaves_the_desk() -> None:
    """When nobody waits any more, nobody is asked any more."""
    desk = Desk()

    async def main() -> None:
        task = asyncio.ensure_future(DeskParticipant(desk).answer(Ask("1", "human", "approve", {}), View(())))
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(main())
    assert desk.list_open() == []
