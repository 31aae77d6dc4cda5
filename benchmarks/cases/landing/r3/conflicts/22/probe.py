import json
import pathlib
import tempfile

from orders.intake import intake

good = {"customer": "bob", "lines": [{"count": 1, "price": 3}]}
with tempfile.TemporaryDirectory() as folder:
    pathlib.Path(folder, "a.json").write_text(json.dumps(good))
    pathlib.Path(folder, "b.json").write_text(json.dumps({"customer": "x", "lines": []}))
    taken, aside = intake(folder)
assert taken == [good] and aside == ["b.json"], (taken, aside)
