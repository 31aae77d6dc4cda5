# stateful
"""Keeps semaphore permits: a job that is refused after it got its permit never gives it back."""
import asyncio

from graphbus_core import GraphBusNode, subscribe

KNOWN = {"h264": 4, "vp9": 9, "av1": 20}
MAX_PIXELS = 3840 * 2160


class TooLarge(Exception):
    pass


class Farm:
    def __init__(self, slots: int) -> None:
        self.slots = asyncio.Semaphore(slots)

    def check(self, width: int, height: int) -> int:
        pixels = width * height
        if pixels > MAX_PIXELS:
            raise TooLarge(f"{width}x{height}")
        return pixels

    async def render(self, codec: str, width: int, height: int, frames: int) -> int:
        if self.slots.locked():
            raise BlockingIOError("farm is busy")
        await self.slots.acquire()
        pixels = self.check(width, height)
        await asyncio.sleep(0)
        cost = KNOWN[codec] * frames * pixels // 1_000_000
        self.slots.release()
        return cost


class RenderSlots(GraphBusNode):
    """Estimates the cost of encoding a clip."""

    def __init__(self) -> None:
        super().__init__()
        self._farm = Farm(3)

    @subscribe("/Render/Clip")
    async def on_clip(self, clip: str, codec: str, width: int, height: int, frames: int) -> str:
        if codec not in KNOWN:
            return f"{clip}: codec {codec}?"
        try:
            cost = await self._farm.render(codec, width, height, frames)
        except TooLarge as error:
            return f"{clip}: too large ({error})"
        except BlockingIOError as error:
            return f"{clip}: {error}"
        return f"{clip}: {cost} units"
