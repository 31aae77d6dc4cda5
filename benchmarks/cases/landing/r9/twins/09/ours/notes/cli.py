from notes import store


def cmd_find(conn, word):
    return ["#%d %s" % (note_id, body) for note_id, body, _ in store.find(conn, word)]
