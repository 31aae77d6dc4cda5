from logs import LogParser, Stats


def test_parse():
    assert LogParser().parse("GET /x 200")["method"] == "GET"


def test_count():
    stats = Stats()
    assert [stats.count(verb=v, status=200)["count"] for v in ("GET", "PUT", "GET")] == [1, 1, 2]
