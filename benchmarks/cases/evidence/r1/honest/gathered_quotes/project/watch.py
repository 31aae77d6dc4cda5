import asyncio

from market import Alerts, Quotes


async def one(name):
    quote = await Quotes().latest(name)
    return await Alerts().check(ticker=quote["symbol"], cents=quote["cents"])


async def main():
    for found in await asyncio.gather(one("sap"), one("bmw")):
        print(found["alert"])


if __name__ == "__main__":
    asyncio.run(main())
