import importlib
import tomllib
from pathlib import Path

from surf.agents import Buoy, Surf


def run(job):
    module, _, path = job["target"].partition(":")
    cls, method = path.split(".")
    return getattr(getattr(importlib.import_module(module), cls)(), method)(**job["args"])


jobs = tomllib.loads((Path(__file__).parents[1] / "jobs.toml").read_text())["job"]
print(*map(run, jobs))
print(Surf().rate(height=Buoy().ping("south")["wave"]))
