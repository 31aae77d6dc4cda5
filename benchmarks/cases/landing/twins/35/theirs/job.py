class Job:
    __slots__ = ('name', 'attempts_left')

    def __init__(self, name, retries=3):
        self.name = name
        self.attempts_left = retries

    def failed(self):
        self.attempts_left -= 1
        return self.attempts_left > 0
