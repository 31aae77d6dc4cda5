"""The words that users type."""
from tasks.model import State

WORDS = {
    "start": State.RUNNING,
    "pause": State.PAUSED,
    "finish": State.DONE,
    "reset": State.OPEN,
}


def run(tasks, line):
    word, _, name = line.partition(" ")
    for task in tasks:
        if task.name == name:
            task.to(WORDS[word])
            return task
    raise LookupError(name)
