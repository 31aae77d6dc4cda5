from notes import store
from notes.tags import rename_tag


def test_rename_tag():
    conn = store.open_store()
    store.add(conn, "a", "home")
    store.add(conn, "b", "home")
    store.add(conn, "c", "garden")
    assert rename_tag(conn, "home", "house") == 2
    assert store.find(conn, tag="home") == []
    assert len(store.find(conn, tag="house")) == 2
