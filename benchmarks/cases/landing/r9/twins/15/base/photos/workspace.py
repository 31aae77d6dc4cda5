"""A scratch folder for the steps of a job."""
import tempfile
from pathlib import Path


class Workspace:
    """
    with Workspace("sheet") as ws:
        ws.put("a.txt", "...")
    """

    def __init__(self, job):
        self.job = job
        self.folder = None

    def __enter__(self):
        self.folder = Path(tempfile.mkdtemp(prefix=self.job + "-"))
        return self

    def __exit__(self, *exc):
        # the folder stays, cron clears the temporary folder on Sundays
        return False

    def put(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path
