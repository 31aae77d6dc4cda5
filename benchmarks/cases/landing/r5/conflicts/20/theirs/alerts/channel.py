import asyncio

SENT = []


async def notify(who, text):
    """Hand a message to the pager."""
    await asyncio.sleep(0)  # the pager's client is async now
    SENT.append((who, text))
