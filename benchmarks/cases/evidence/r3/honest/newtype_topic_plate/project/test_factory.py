from factory import Line, Papers


def test_line_counts():
    line = Line()
    assert [line.finish(c)["chassis"] for c in "ab"] == ["VIN000001", "VIN000002"]


def test_drawer():
    papers = Papers()
    papers.on_finished({"vin": "VIN9"})
    assert papers.drawer == ["VIN9"]
