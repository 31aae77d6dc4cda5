from fetchkit.batch import fetch_all


def transport(address):
    if "bad" in address:
        raise OSError("refused")
    yield b"ab"
    yield b"c"


def test_fetch_all():
    said = []
    got, failed = fetch_all(transport, {"ok": 3, "bad": 3}, said.append)
    assert got == {"ok": b"abc"} and failed == ["bad"]
    assert said[0] == "done: ok" and len(said) == 3
