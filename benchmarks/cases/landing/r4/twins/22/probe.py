import threading
from stock import Stock

stock = Stock({"nut": 2})
thread = threading.Thread(target=stock.reserve_all, args=({"nut": 1},), daemon=True)
thread.start()
thread.join(3)
assert not thread.is_alive(), "deadlock"
assert stock.on_hand("nut") == 1
