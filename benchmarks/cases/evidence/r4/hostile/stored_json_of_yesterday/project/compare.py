import json

from chart import Chart
from stats import Stats

now = Stats().today("s")
with open("yesterday.json") as f:
    old = json.load(f)
print({key: now[key] - old[key] for key in now})
print(Chart().plot(count=now["visitors"])["bar"])
