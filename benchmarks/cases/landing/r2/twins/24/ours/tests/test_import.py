from import_names import read


def test_read():
    assert read("a, b") == ["a", "b"]
