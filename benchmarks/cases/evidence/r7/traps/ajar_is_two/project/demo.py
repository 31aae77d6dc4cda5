from door import Door
from log import Log

print(Door((False, False)).state())
print(Log().note(open=Door((True, True)).state()["open"] == 1))
