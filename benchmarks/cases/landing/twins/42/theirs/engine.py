class Engine:
    def __init__(self):
        self.t = 0

    def step(self):
        self.t += 1
        return self.t


def running():
    engine = Engine()
    return engine
