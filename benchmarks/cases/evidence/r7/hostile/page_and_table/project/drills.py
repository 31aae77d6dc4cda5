from operator import methodcaller

from lock import Lock

DRILLS = [("spring", "decide", "level", 4.0), ("neap", "decide", "level", 1.0)]
for name, method, field, value in DRILLS:
    print(name, methodcaller(method, **{field: value})(Lock())["gate"])
