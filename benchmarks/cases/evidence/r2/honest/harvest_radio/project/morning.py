import asyncio

from farm import Barn, Field, Irrigation


async def main() -> None:
    sky, hay = await asyncio.gather(Field().forecast(), Barn().stock())
    planned = await Irrigation().plan(rain=sky["mm"])
    print(planned["litres"], hay["bales"])


if __name__ == "__main__":
    asyncio.run(main())
