import json

from orders.intake import intake


def test_intake(tmp_path):
    good = {"customer": "bob", "lines": [{"count": 1, "price": 3}]}
    (tmp_path / "a.json").write_text(json.dumps(good))
    (tmp_path / "b.json").write_text("{")
    (tmp_path / "c.json").write_text(json.dumps(dict(good, customer="")))
    assert intake(tmp_path) == ([good], ["b.json", "c.json"])
