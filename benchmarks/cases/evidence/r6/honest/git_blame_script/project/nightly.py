"""Writes the list of owners for the wall."""
from history import History
from roster import Roster

history, roster = History(), Roster()
for path in ("docs/index.md", "src/run.py"):
    touched = history.last_touch(path)
    print(path, roster.owner(email=touched["author_mail"])["team"])
