import tempfile
from pathlib import Path

from importer import load
from members import Member, export

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "all.csv"
    export(path, [Member("Ann", "ann@x.org", "Ulm")])
    result = load(path)
assert result == ([Member("Ann", "ann@x.org", "Ulm")], []), result
