import asyncio

from desk import Buy, Margin, Sell


async def main(symbol):
    bid, ask = await asyncio.gather(Buy().quote(symbol), Sell().quote(symbol))
    margin = Margin().of(ask_price=ask["price"])
    print(symbol, bid["price"], margin["spread"])


for symbol in ("ABC", "ZZ"):
    asyncio.run(main(symbol))
