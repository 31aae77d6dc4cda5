from fleet import Fleet
from planner import Planner

trips = [{"van": "a", "range_km": 90.0}, {"van": "a", "range_km": 240.0}]
r = Fleet().status("a")
print([Planner().plan(van=r["van"], distance=r["range_km"])["stops"] for r in trips])
print(r["range_km"])
