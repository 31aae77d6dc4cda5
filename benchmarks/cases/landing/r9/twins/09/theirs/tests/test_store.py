from notes import store
from notes.cli import cmd_find


def test_find():
    conn = store.open_store()
    store.add(conn, "buy milk", "home")
    store.add(conn, "buy stamps", "office")
    store.add(conn, "call Ann", "office")
    assert [n[1] for n in store.find(conn, "buy")] == ["buy stamps", "buy milk"]
    assert [n[0] for n in store.find(conn, tag="office")] == [3, 2]
    assert cmd_find(conn, "ann") == ["#3 call Ann"]
