from jobs.bus import Bus
from jobs.runner import Runner
from jobs.slow import SlowJobs

times = [0.0, 90.0, 100.0, 101.0]
bus = Bus()
slow = SlowJobs(bus, limit=60)
runner = Runner(bus, lambda: times.pop(0))
runner.run("index", lambda: None)
runner.run("ping", lambda: None)
assert not bus.dropped, bus.dropped
assert slow.names() == ["index"], slow.names()
