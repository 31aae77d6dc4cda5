"""The desk on disk: whoever answers first is taken, and whoever comes too late is told so."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

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


@pytest.mark.parametrize("steps", range(4))
def test_an_answer_that_counted_is_told_so_at_every_step_of_taking_it_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    """The build takes it up while its giver makes sure that it was the first; a kill in between loses nothing."""
    desk, left = DurableDesk(tmp_path), iter([True] * steps)
    desk.add(ASKED)

    def limit(step: Callable[..., None]) -> Callable[..., None]:
        def run(*given: Any, **more: Any) -> None:
            if not next(left, False):
                raise KeyboardInterrupt
            step(*given, **more)

        return run

    def take_up(_: float) -> None:
        with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
            patch.setattr(os, "replace", limit(os.replace))
            patch.setattr(Path, "unlink", limit(Path.unlink))
            desk.remove(ASKED.id)

    monkeypatch.setattr(durable_desk.time, "sleep", take_up)
    assert desk.answer(ASKED.id, {"n": 1})
    assert desk.list_open() == []
    assert desk.find_answer(ASKED.id) == ({"n": 1} if steps < 3 else None)
    if steps < 3:
        desk.add(ASKED)
        assert not desk.answer(ASKED.id, {"n": 2})


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
