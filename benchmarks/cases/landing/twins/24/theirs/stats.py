import db


def size(name):
    return len(db.path(name))
