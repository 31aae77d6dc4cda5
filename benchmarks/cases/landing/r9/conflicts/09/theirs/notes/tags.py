"""Work on all notes of a tag at once."""
from notes import store


def rename_tag(conn, old, new):
    """Give the notes tagged `old` the tag `new`; returns how many there were."""
    found = store.find(conn, tag=old)
    conn.executemany("UPDATE note SET tag = ? WHERE id = ?",
                     [(new, note_id) for note_id, _, _ in found])
    conn.commit()
    return len(found)
