import badge
from state import State
assert badge.colour(State.OPEN) == "green"
