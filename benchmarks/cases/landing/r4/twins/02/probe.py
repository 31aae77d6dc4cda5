from datetime import datetime as D
from events import Event
from week import booked_hours

got = booked_hours([Event("b", D(2024, 5, 6, 9, 0), D(2024, 5, 6, 10, 30))])
assert got == 1.5, got
