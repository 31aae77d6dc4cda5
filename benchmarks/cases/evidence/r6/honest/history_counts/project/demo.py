from chart import Chart
from tracker import Tracker

print(Tracker().export(["Italy", "France"]))
print(Chart("*").bar(3200)["bar"])
