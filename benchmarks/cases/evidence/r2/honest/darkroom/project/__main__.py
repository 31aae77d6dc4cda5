import asyncio

import darkroom

print(asyncio.run(darkroom.session()))
