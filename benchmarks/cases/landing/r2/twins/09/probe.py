import asyncio, sizes
assert asyncio.run(sizes.size("abc")) == 3
