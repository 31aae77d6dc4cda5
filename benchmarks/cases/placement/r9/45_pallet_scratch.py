# pure
"""The attributes are working space that every event overwrites before it reads them."""
from graphbus_core import GraphBusNode, subscribe

LENGTH, WIDTH = 12, 8


class PalletScratch(GraphBusNode):
    """Places cartons on a pallet of 12 by 8 tenths of a metre, layer by layer."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = [bytearray(LENGTH) for _ in range(WIDTH)]
        self._placed: list[tuple[int, int]] = []
        self._left_over: list[str] = []

    def _wipe(self) -> None:
        for row in self._grid:
            row[:] = bytes(LENGTH)
        self._placed.clear()
        self._left_over = []

    def _free(self, x: int, y: int, long: int, wide: int) -> bool:
        if x + long > LENGTH or y + wide > WIDTH:
            return False
        return not any(self._grid[row][column] for row in range(y, y + wide) for column in range(x, x + long))

    def _place(self, long: int, wide: int) -> bool:
        for y in range(WIDTH):
            for x in range(LENGTH):
                if self._free(x, y, long, wide):
                    for row in range(y, y + wide):
                        self._grid[row][x:x + long] = b"\x01" * long
                    self._placed.append((x, y))
                    return True
        return False

    @subscribe("/Pallet/Layer")
    def on_layer(self, cartons: list[list[int]]) -> dict[str, object]:
        self._wipe()
        for long, wide in sorted(cartons, key=lambda size: -size[0] * size[1]):
            if not self._place(long, wide) and not self._place(wide, long):
                self._left_over.append(f"{long}x{wide}")
        covered = sum(sum(row) for row in self._grid)
        return {
            "placed": [list(spot) for spot in self._placed],
            "left_over": self._left_over,
            "covered": round(covered / (LENGTH * WIDTH), 3),
        }
