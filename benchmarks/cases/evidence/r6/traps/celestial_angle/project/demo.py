import asyncio

from sky import Ephemeris, Mount


async def main():
    found = await Ephemeris().locate("M31")
    print(found["name"], found["dec"])
    print(await Mount().slew(10.7, 41.3))


asyncio.run(main())
