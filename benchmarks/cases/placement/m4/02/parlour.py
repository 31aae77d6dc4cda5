from graphbus_core import GraphBusNode, subscribe

from herdbook import Ledger, note_visit, breed_of


class MilkTank(GraphBusNode):
    '''Milk of one collection round.'''

    CAPACITY = 120.0

    @subscribe('/farm/milking')
    def milking(self, tag: str, litres: float) -> dict:
        book = Ledger()
        book.add(tag, litres)
        return {'tag': tag, 'full': book.total() > self.CAPACITY}


class FeederGate(GraphBusNode):
    '''Opens the concentrate feeder, twice a shift at most.'''

    @subscribe('/farm/feeder')
    def at_gate(self, tag: str) -> bool:
        breed_of(tag)
        return note_visit(tag) <= 2
