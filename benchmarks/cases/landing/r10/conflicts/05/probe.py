from backup import BackupJob
from scheduler import Scheduler

s = Scheduler()
s.submit(BackupJob("photos", {"a.jpg": b"1"}, "secret"))
s.submit(BackupJob("letters", {"b.txt": b"2"}, "secret"))
folders = [r["folder"] for r in s.run_pending()]
assert folders == ["photos", "letters"], folders
