import asyncio


class Gate:
    def __init__(self, badges, motor):
        self.badges = badges
        self.motor = motor

    async def swipe(self, badge):
        if not await self.badges.ask(badge, 0):
            return False
        self.motor("open")
        await asyncio.sleep(0)
        self.motor("close")
        return True
