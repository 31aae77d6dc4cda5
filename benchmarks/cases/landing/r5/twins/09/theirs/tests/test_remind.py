from todo.remind import to_remind
from todo.tasks import new_task


def test_to_remind():
    assert to_remind([new_task("late", "2020-01-01 10:00"), new_task("far", "2990-01-01 10:00")]) == ["late"]
