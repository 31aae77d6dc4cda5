import asyncio

from timer import Timer


def test_empty():
    asyncio.run(Timer().fire())
