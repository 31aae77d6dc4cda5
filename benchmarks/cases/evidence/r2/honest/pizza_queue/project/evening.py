import asyncio

from pizzeria import Phone, PizzaOven


async def main():
    orders = asyncio.Queue()
    await orders.put(await Phone().take("Lea"))
    order = await orders.get()
    print((await PizzaOven().slide(pizza=order["pie"]))["box"])


asyncio.run(main())
