from play.board import top
from play.cache import DiskCache

GAMES = [{"player": "ann", "points": 3, "level": 1}, {"player": "bo", "points": 9, "level": 2}]


def test_top(tmp_path):
    cache = DiskCache(tmp_path)
    assert top(cache, GAMES) == ["bo", "ann"]
    assert top(cache, []) == ["bo", "ann"]
