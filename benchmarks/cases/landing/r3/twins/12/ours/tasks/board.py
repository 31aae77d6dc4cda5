"""The board: a column for each state."""
from tasks.model import State

COLUMNS = {
    State.OPEN: "To do",
    State.RUNNING: "In work",
    State.DONE: "Done",
}


def column(task):
    return COLUMNS.get(task.state, task.state.value.capitalize())


def board(tasks):
    """Return {column: names}; empty columns are shown too."""
    shown = {title: [] for title in COLUMNS.values()}
    for task in sorted(tasks, key=lambda task: task.name):
        shown.setdefault(column(task), []).append(task.name)
    return shown
