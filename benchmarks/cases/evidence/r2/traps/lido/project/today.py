import asyncio

from lido import AirProbe, Lifeguard, PoolProbe


async def main():
    both = await asyncio.gather(PoolProbe().dip(), AirProbe().hang())
    water, air = sorted(v for row in both for v in row.values())
    print(Lifeguard().advise(water=water, air=air)["flag"])


asyncio.run(main())
