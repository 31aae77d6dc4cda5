# pure
import asyncio

from graphbus_core import GraphBusNode, subscribe


class EchoLine(GraphBusNode):
    async def repeat(self, text, times):
        words = []
        for _ in range(times):
            await asyncio.sleep(0)
            words.append(text)
        return " ".join(words)

    @subscribe("/Line/Spoken")
    async def on(self, payload):
        self.publish("/Line/Echoed", {"text": await self.repeat(payload["text"], 3)})
