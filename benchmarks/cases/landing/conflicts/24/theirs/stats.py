import db


def size(name):
    return len(db.open_db(name).rows())
