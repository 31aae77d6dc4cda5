import asyncio
from timer import Timer
from ticks import Ticks
t = Timer()
k = Ticks(t)
asyncio.run(t.fire())
assert k.n == 1
