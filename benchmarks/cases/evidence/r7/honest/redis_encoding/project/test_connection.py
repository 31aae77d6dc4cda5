from connection import Connection
from profile_ import profile


def test_banner_is_short():
    with profile() as chosen:
        opened = Connection().open(charset=chosen["encoding"])
    assert len(opened["banner"]) == 6
