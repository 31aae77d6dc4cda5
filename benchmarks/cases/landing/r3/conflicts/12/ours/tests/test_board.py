from tasks.board import board
from tasks.model import State, Task


def test_board():
    tasks = [Task("b"), Task("a"), Task("c", State.DONE)]
    assert board(tasks) == {"To do": ["a", "b"], "In work": [], "Done": ["c"]}
