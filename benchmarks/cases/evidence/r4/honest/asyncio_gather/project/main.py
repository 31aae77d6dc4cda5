import asyncio

from client import Client
from vault import Vault


async def connect(role):
    issued = await asyncio.to_thread(Vault().issue, role)
    token = issued["token"]
    return Client().connect(secret=token)


async def main():
    for one in await asyncio.gather(connect("ro"), connect("rw")):
        print(one["header"])


asyncio.run(main())
