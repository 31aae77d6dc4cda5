class Clock:
    __slots__ = ("tick", "speed")

    def __init__(self):
        self.tick = 0
        self.speed = 2

    def __iadd__(self, n):
        self.tick += n * self.speed
        return self

    def __int__(self):
        return self.tick
