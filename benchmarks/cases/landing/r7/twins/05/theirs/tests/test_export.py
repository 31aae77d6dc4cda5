from export import PlainExporter


def test_plain():
    assert PlainExporter([]).run([[1, 2], [3]]) == ["1", "2", "3"]
