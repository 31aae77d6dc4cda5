VERSION = 1


def up(db):
    db.setdefault("users", []).append("name")
