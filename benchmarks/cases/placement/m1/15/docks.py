from itertools import cycle


class Dock:
    def __init__(self, name: str, max_tons: int) -> None:
        self.name = name
        self.max_tons = max_tons

    def fits(self, tons: int) -> bool:
        return tons <= self.max_tons


ALL_DOCKS = [Dock("North", 12), Dock("South", 40), Dock("East", 25)]
ROTATION = cycle(ALL_DOCKS)
