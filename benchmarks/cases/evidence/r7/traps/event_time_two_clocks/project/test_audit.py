from audit import Audit
from camera import Camera


def test_record():
    seen = Camera().detect("m-7")
    assert Audit().record(timestamp=seen["received"], id=seen["id"]) == {"line": "1700000042 m-7"}
