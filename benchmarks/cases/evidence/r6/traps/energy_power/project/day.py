from feedin import FeedIn
from inverter import Inverter

inverter, account = Inverter(hour=11.5), FeedIn()
total = 0.0
for _ in range(4):
    now = inverter.poll()
    total = account.book(hour=now["hour"], kwh=now["kw"] / 4)["cents"]
print(total)
