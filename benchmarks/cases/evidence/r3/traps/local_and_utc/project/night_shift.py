from datetime import datetime, timedelta

from attendance.gate import Gate
from attendance.register import Register

register = Register()
for badge, clock in ((1, "00:30:00"), (2, "09:00:00")):
    stamp = Gate().stamp(badge, clock)
    at = datetime.fromisoformat(stamp["time"]) - timedelta(hours=Gate.ZONE_HOURS)
    register.note({"badge": stamp["badge"], "utc": at.isoformat()})
print(register.days)
