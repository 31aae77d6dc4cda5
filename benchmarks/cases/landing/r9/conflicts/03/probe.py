import os
import tempfile

from logtools.stats import error_share

with tempfile.TemporaryDirectory() as folder:
    log = os.path.join(folder, "x.log")
    with open(log, "w", encoding="utf-8") as out:
        out.write("error a\ninfo b\nerror c\ninfo d\n")
    share = error_share(log)
assert share == 0.5, share
