from events import Events
from fines import CEILING, Fines


def test_fine_by_the_day():
    events = Events()
    fines = Fines(events)
    events.emit("loan.overdue", {"book": "Emma", "member": "m1", "days": 3})
    events.emit("loan.overdue", {"book": "Ulysses", "member": "m1", "days": 1})
    assert fines.total("m1") == 80
    assert fines.total("m2") == 0


def test_ceiling():
    fines = Fines(Events())
    fines.charge({"book": "Emma", "member": "m1", "days": 400})
    assert fines.total("m1") == CEILING
