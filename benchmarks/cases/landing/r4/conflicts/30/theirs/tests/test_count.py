import console


def test_count():
    console.ITEMS[:] = ["buy milk", "buy tea", "sleep"]
    assert console.count(["buy"]) == "2"
    assert "count" in console.run("help")
