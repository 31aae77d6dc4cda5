from attendance import Attendance
from turnstile import Turnstile


def test_record():
    passed = Turnstile().pass_("B-1")
    attendance = Attendance()
    assert attendance.record(passed["badge"], passed["minute"])["rows"] == 1
