"""Jobs."""

from client import fetch


async def run(key):
    return (await fetch(key))["key"]
