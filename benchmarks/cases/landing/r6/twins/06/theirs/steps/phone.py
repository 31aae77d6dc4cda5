VERSION = 3


def up(db):
    db["users"].append("phone")
