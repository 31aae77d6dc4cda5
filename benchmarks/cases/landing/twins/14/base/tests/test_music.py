from music import Song, total


def test_total():
    assert total([Song('a', 3), Song('b', 4)]) == 7
