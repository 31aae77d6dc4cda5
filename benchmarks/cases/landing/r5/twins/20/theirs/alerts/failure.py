import asyncio

from alerts.channel import anotify


async def _tell(jobs):
    await asyncio.gather(*(anotify(job["owner"], f"{job['name']} failed") for job in jobs))


def on_failure(jobs):
    asyncio.run(_tell(jobs))
