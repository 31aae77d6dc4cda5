import os, tempfile
from disk.quota import over_quota

with tempfile.TemporaryDirectory() as d:
    with open(os.path.join(d, "f"), "wb") as f:
        f.write(b"x" * 200_000)
    assert over_quota([("ann", d)], {"ann": "student"}) == [], "200 kB is not over 5 MiB"
