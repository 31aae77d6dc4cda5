from notes import store
from notes.tags import rename_tag

conn = store.open_store()
for number in range(33):
    store.add(conn, "note %d" % number, "home")
assert rename_tag(conn, "home", "house") == 33
assert store.find(conn, tag="home") == []
