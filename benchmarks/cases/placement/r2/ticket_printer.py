# stateful
from graphbus_core import GraphBusNode, subscribe


def numbers():
    number = 100
    while True:
        yield number
        number += 1


class TicketPrinter(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.numbers = numbers()

    @subscribe("/Ticket/Bought")
    def on(self, payload):
        self.publish("/Ticket/Printed", {"number": next(self.numbers)})
