import pathlib
import tempfile

from journal.tail import tail
from journal.writer import Journal

with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "journal"
    Journal(path).write("ada", "login")
    Journal(path).write("ada", "change", "bolt +3")
    entries = tail(path.read_text().splitlines(True))
assert [entry["detail"] for entry in entries] == ["bolt +3", ""], entries
