from contextlib import contextmanager


class Db:
    def __init__(self, name):
        self.name, self.open = name, True

    def rows(self):
        return [1, 2]

    def close(self):
        self.open = False


def path(name):
    return f'/var/{name}.db'


@contextmanager
def open_db(name):
    db = Db(name)
    try:
        yield db
    finally:
        db.close()
