import inspect
from pathlib import Path

from export import Export
from turbine import Turbine

HEADER = list(inspect.signature(Export.line).parameters)[1:]


def test_hour():
    made = Turbine().hour(9)
    assert Export().line(made["hour"], made["energy"]) == {"row": "9;2.5"}


def test_golden():
    lines = [";".join(HEADER)] + [Export().line(hour, 2.5)["row"] for hour in range(2)]
    assert "\n".join(lines) + "\n" == (Path(__file__).parent / "golden.csv").read_text()
