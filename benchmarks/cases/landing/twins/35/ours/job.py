class Job:
    __slots__ = ('name', 'retries')

    def __init__(self, name, retries=3):
        self.name = name
        self.retries = retries

    def failed(self):
        self.retries -= 1
        return self.retries > 0
