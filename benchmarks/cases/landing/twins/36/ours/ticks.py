class Ticks:
    def __init__(self, timer):
        self.n = 0
        timer.callbacks.append(self.tick)

    async def tick(self):
        self.n += 1
