class Db:
    def __init__(self, name):
        self.name, self.open = name, True

    def rows(self):
        return [1, 2]

    def close(self):
        self.open = False


def path(name):
    return f'/var/{name}.db'


def open_db(name):
    return Db(name)
