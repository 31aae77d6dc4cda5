import shlex
from pathlib import Path

from jobs.cli import main
from jobs.nodes import Job, Pool


def test_the_command_of_the_operators():
    assert main(shlex.split((Path(__file__).parents[1] / "run.cmd").read_text())) == "|||"


def test_the_plan_starts():
    assert Pool().start(threads=Job().plan(2)["workers"]) == {"started": "||"}
