"""The desk on disk: whoever answers first is taken, and whoever comes too late is told so."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.errors import UsageError
from graphbus_core.participants.people import durable_desk
from graphbus_core.participants.people.durable_desk import DurableDesk, DurableQuestion

ASKED = DurableQuestion("build/1.propose.A~0", "A", "propose", "proposal", {})


def test_the_first_answer_stands(tmp_path: Path) -> None:
    desk = DurableDesk(tmp_path)
    desk.add(ASKED)
    assert [desk.answer(ASKED.id, {"n": n}) for n in (1, 2)] == [True, False]
    assert desk.find_answer(ASKED.id) == {"n": 1}
    desk.remove(ASKED.id)
    with pytest.raises(UsageError, match="may be over"):
        desk.answer(ASKED.id, {"n": 3})


def test_an_answer_that_comes_while_another_is_taken_up_is_not_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The question was there when it was looked for, and is over when the answer is put."""
    desk = DurableDesk(tmp_path)
    desk.add(ASKED)
    assert desk.answer(ASKED.id, {"n": 1})
    put = durable_desk.write_new

    def late(*args: object, **more: object) -> bool:
        desk.remove(ASKED.id)
        return put(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(durable_desk, "write_new", late)
    assert not desk.answer(ASKED.id, {"n": 1})
    assert list(tmp_path.iterdir()) == []
