import tempfile
from pathlib import Path

from climate import averages

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "log.txt"
    path.write_text("roof 31.5\nroof 28.5\n", encoding="utf-8")
    result = averages(path)
assert result == {"roof": 30.0}, result
