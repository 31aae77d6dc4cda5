import asyncio
import warnings

from access.badges import Badges
from access.gate import Gate
from access.lift import Lift

warnings.simplefilter("ignore")
badges = Badges({"ann": [0, 3]})
lift = Lift(badges)
assert lift.call("ann", 3)
assert not lift.call("bob", 4), "bob got to floor 4"
assert asyncio.run(Gate(badges, print).swipe("ann"))
