import tempfile
from play.cache import DiskCache
from play.levels import games_at

with tempfile.TemporaryDirectory() as d:
    cache = DiskCache(d)
    got = [games_at(cache, [{"level": 1}, {"level": 2}, {"level": 2}], n) for n in (1, 2)]
    assert got == [1, 2], got
