import config
from newsletter import batches

got = [len(b) for b in batches(["x"] * 250, config.load())]
assert got == [200, 50], got
