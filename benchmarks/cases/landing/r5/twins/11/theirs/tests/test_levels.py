import pytest

from play.cache import DiskCache
from play.levels import games_at

GAMES = [{"level": 1}, {"level": 2}, {"level": 2}]


@pytest.mark.parametrize("level, count", [(1, 1), (2, 2), (9, 0)])
def test_games_at(tmp_path, level, count):
    assert games_at(DiskCache(tmp_path), GAMES, level) == count
