from desk.ticket import State, Ticket
from desk.workload import workload

t = Ticket("printer", 0)
t.move(State.OPEN, 1)
t.move(State.WAITING, 2)
assert 0 <= workload([t, Ticket("b", 0)], 3) - 3 <= 2
