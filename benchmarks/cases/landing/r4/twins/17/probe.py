from overview import overview
from tickets import Ticket

assert overview([Ticket("a", "kim")]) == ["kim: 1"]
