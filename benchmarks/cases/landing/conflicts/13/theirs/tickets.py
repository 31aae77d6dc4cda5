from enum import Enum


class State(Enum):
    OPEN = 'open'
    DONE = 'done'


class Ticket:
    def __init__(self, title):
        self.title, self.state = title, State.OPEN

    def finish(self):
        self.state = State.DONE
