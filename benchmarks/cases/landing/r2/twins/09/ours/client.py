"""A client."""


async def fetch(key):
    return {"key": key, "size": len(key)}
