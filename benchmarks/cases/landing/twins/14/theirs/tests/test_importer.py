from importer import read


def test_read():
    (song,) = read(['Blue,200,90'])
    assert song.seconds == 200
