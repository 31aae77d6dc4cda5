from desk.ticket import State, Ticket
from desk.workload import desks_needed, workload


def test_workload():
    tickets = [Ticket("a", 0), Ticket("b", 5, State.OPEN), Ticket("c", 0, State.CLOSED)]
    assert workload(tickets, now=7) == 8


def test_desks():
    assert desks_needed([Ticket(str(n), 0) for n in range(4)], now=1) == 2
