from operator import attrgetter

from job import Job


def plan(jobs: list[Job]) -> list[str]:
    return [j.name for j in sorted(jobs, key=attrgetter('name'))]
