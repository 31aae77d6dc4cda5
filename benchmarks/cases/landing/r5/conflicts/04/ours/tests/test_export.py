from exporters import MODULES, export


def test_modules():
    assert "flat_out" in MODULES


def test_csv():
    assert export("csv", [{"a": 1, "b": 2}]) == "1,2\n"


def test_json():
    assert export("json", [{"a": 1}]) == '[{"a": 1}]'
