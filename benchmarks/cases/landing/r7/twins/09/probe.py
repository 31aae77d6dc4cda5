import tempfile
from pathlib import Path

from seedbank.importer import import_accessions
from seedbank.store import Store

with tempfile.TemporaryDirectory() as d:
    s = Store(Path(d) / "seeds.db")
    import_accessions(s, ["name,grams", "rye,120"])
    s.close()
    again = Store(Path(d) / "seeds.db")
    grams = again.grams("rye")
    again.close()
assert grams == 120, grams
