"""Files that wait in a spool folder."""
import pathlib
import time

from metrics.collector import Collector


class Spool(Collector):
    name = "spool"

    def __init__(self, folder, clock=time.time):
        self.folder = pathlib.Path(folder)
        self.clock = clock

    def gather(self):
        ages = [self.clock() - path.stat().st_mtime for path in self.folder.iterdir() if path.is_file()]
        return {"files": len(ages), "oldest": max(ages, default=0)}
