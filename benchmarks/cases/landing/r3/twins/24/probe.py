import pathlib
import tempfile

from backup import manifest
from backup.job import Job
from backup.run import run

with tempfile.TemporaryDirectory() as folder:
    source = pathlib.Path(folder) / "a"
    source.write_text("data")
    job = Job.parse(f"{source} -> copies/a", root=folder)
    run(job)
    manifest.write(job)
    assert manifest.verify(job) == "ok"
    assert pathlib.Path(folder, "copies/a.sum").read_text().endswith("  a\n")
