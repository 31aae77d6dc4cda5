import asyncio


class Timer:
    def __init__(self):
        self.callbacks = []

    async def fire(self):
        await asyncio.sleep(0)
        for cb in self.callbacks:
            await cb()
