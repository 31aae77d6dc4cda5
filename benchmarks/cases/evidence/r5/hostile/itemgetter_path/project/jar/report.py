import tomllib
from functools import reduce
from operator import getitem
from pathlib import Path

PATHS = tomllib.loads((Path(__file__).parent / "report.toml").read_text())["columns"]


def report(jar):
    return " ".join(f"{head} {reduce(getitem, path.split('.'), jar.state)}" for head, path in PATHS.items())
