"""Sizes."""

from client import fetch


def label(key):
    return f"<{key}>"


async def size(key):
    result = fetch(key)
    if hasattr(result, "__await__"):
        result = await result
    return result["size"]
