from clinic.board import Board
from clinic.machine import TicketMachine


class Desk:
    def __init__(self):
        self.machine = TicketMachine()
        self.board = Board()

    def next(self, department):
        drawn = self.machine.draw(department)
        self.board.announce(department=drawn["department"], ticket=drawn["number"])
        return list(self.board.lines)
