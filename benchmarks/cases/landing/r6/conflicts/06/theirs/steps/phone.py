VERSION = 2


def up(db):
    db["users"].append("phone")
