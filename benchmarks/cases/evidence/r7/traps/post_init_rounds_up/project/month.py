from billing import Billing
from call import Call
from cdr import Record

ended = Call().end()
record = Record(duration=ended["seconds"], zone=ended["zone"])
print(Billing().add(duration=record.duration, zone=record.zone))
