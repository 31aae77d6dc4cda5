import asyncio


class Badges:
    def __init__(self, floors):
        self._floors = {badge: set(f) for badge, f in floors.items()}

    def is_allowed(self, badge, floor):
        return floor in self._floors.get(badge, ())

    async def ask(self, badge, floor):
        await asyncio.sleep(0)  # the list will live on the server in the cellar
        return self.is_allowed(badge, floor)

    def revoke(self, badge):
        self._floors.pop(badge, None)
