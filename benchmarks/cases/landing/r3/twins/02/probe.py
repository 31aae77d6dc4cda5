from logscan.hours import errors_by_hour

lines = ["2024-05-01T10:00:00 ERROR db: lost", "2024-05-01T10:59:00 ERROR probe: x", "2024-05-01T11:00:00 ERROR api: 502",
         "2024-05-01T11:00:00 INFO api: 200"]
got = errors_by_hour(lines)
assert got == {10: 1, 11: 1}, got
