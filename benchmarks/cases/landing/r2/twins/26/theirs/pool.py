"""A pool."""


class Pool:
    def __init__(self):
        self.open = True

    def shutdown(self):
        self.open = False
