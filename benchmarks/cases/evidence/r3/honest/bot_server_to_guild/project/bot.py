from dataclasses import dataclass

from announcer import Announcer
from resolver import Resolver


@dataclass
class Job:
    channel: int
    text: str


JOBS = [Job(1, "hello"), Job(2, "maintenance at 9")]


def work(jobs):
    resolver, announcer = Resolver(), Announcer()
    for job in jobs:
        found = resolver.resolve(channel=job.channel)
        print(job.text, "|", announcer.announce(server=found["guild"])["line"])


work(JOBS)
