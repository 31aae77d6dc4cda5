import tempfile

from metrics.spool import Spool

with tempfile.TemporaryDirectory() as folder:
    spool = Spool(folder)
    assert spool.collect() == {"spool.files": 0.0, "spool.oldest": 0.0}
    assert spool.collect()["spool.files"] == 0.0
