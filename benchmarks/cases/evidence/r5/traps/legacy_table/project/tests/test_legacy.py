from depot.legacy import row
from depot.nodes import Label


def test_row():
    assert Label().print(**row({"packs": 7})) == {"text": "7 pcs."}
