import os
import threading

from meter import Meter

out = []
m = Meter(out.append)
m.limit = 2
t = threading.Thread(target=lambda: [m.add(n) for n in "abc"], daemon=True)
t.start()
t.join(20)
if t.is_alive():
    print("add() does not come back")
    os._exit(1)
assert out == [{"a": 1, "b": 1}], out
assert m.counts == {"c": 1}
