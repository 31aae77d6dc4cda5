import pytest

from tasks.commands import run
from tasks.model import Refused, State, Task


def test_start_and_finish():
    tasks = [Task("a"), Task("b")]
    run(tasks, "start b")
    assert run(tasks, "finish b").state is State.DONE
    assert tasks[0].state is State.OPEN


def test_pause():
    tasks = [Task("a")]
    for word, state in (("start", State.RUNNING), ("pause", State.PAUSED), ("start", State.RUNNING)):
        assert run(tasks, word + " a").state is state


def test_refused():
    with pytest.raises(Refused):
        run([Task("a")], "finish a")
