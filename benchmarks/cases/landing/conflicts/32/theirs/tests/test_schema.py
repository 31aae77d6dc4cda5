from schema import fresh


def test_fresh():
    assert fresh().execute('select count(*) from line').fetchone() == (1,)
