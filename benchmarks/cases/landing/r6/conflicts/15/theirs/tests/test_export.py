import export
from web import dispatch


def test_export():
    assert dispatch("/export", "ann") == (200, "ann;12\nbob;30")
