import tempfile
import zipfile
from pathlib import Path

from bundle.preview import preview
from bundle.process import process

with tempfile.TemporaryDirectory() as d:
    with zipfile.ZipFile(Path(d) / "b.zip", "w") as z:
        z.writestr("a vase.txt", "a vase\nfrom Attica")
    shown = preview(process(Path(d) / "b.zip"))
assert shown == {"a vase.txt": "a vase"}, shown
