import console


def test_console():
    console.ITEMS.clear()
    assert console.run("add 'buy milk'") == "ok"
    assert console.run("list") == "buy milk"
    assert console.run("fly") == "unknown command fly"
    assert "add" in console.run("help")
