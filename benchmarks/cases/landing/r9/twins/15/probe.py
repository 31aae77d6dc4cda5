import tempfile
from pathlib import Path

from photos.sheet import publish

with tempfile.TemporaryDirectory() as www:
    publish("italy", ["Rome"], www)
    assert "Rome" in (Path(www) / "italy.txt").read_text(encoding="utf-8")
