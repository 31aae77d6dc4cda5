"""How many characters a turn has where nothing is contested, over the command line and over MCP."""

from __future__ import annotations

import io
import os
import tempfile
from contextlib import chdir, redirect_stdout, suppress
from pathlib import Path

from _team_plans import make_repository

from graphbus_core.cli.main import main as run_graphbus
from graphbus_core.mcp.team import sit_down
from graphbus_core.services import team

LIMIT = 1_500
SEATS = 6
LINES = 12  # of a plan


def print_turns() -> None:
    """Six seats that each change a file of their own, with long names: every kind of turn of one of them, measured."""
    with tempfile.TemporaryDirectory(prefix="graphbus-turns-") as folder:
        root = Path(folder) / "project"
        for number in range(SEATS):
            names = [f"compute_the_{number}_{i}_{'part_' * 8}" for i in range(LINES)]
            path = root / f"package_{number}" / f"module_with_a_long_name_{number}.py"
            path.parent.mkdir(parents=True)
            path.write_text("".join(f"def {name}(value, rate=1):\n    return value\n\n\n" for name in names))
        make_repository(root)
        (Path(folder) / "task.md").write_text("Make every part of the package take a currency. " * 60)
        team.start(root, [Path(folder) / "task.md"])
        sizes = [size for number in range(SEATS) for size in _measure_seat(root, number)]
    for name in dict.fromkeys(name for name, _ in sizes):
        values = [size for kind, size in sizes if kind == name]
        print(f"  {name:<34} {len(values):>3} measured, at most {max(values):>5} characters")
    print(f"the most is {max(size for _, size in sizes)}; the limit is {LIMIT}")


def _measure_seat(root: Path, number: int) -> list[tuple[str, int]]:
    name, path = f"seat{number}", f"package_{number}/module_with_a_long_name_{number}.py"
    seat, told = sit_down(root, name)
    where = Path(told["at"])
    sizes = [("command line, first turn", _call(where, "team", "turn"))]
    names = [line[4:].partition("(")[0] for line in (where / path).read_text().splitlines() if line.startswith("def ")]
    plan = "\n".join(f"{path}::{name}: add parameter currency: str = 'EUR'" for name in names)
    sizes += [
        ("MCP, plan", len(seat.plan(plan)["text"])),
        ("command line, turn after a plan", _call(where, "team", "turn")),
    ]
    (where / path).write_text((where / path).read_text().replace("rate=1", "rate=1, currency='EUR'"))
    for words in (("add", "-A"), ("commit", "-q", "-m", name)):
        os.spawnlp(os.P_WAIT, "git", "git", "-C", str(where), *words)
    sizes += [("command line, say", _call(where, "team", "say", text="@tell all\nI land now."))]
    sizes += [
        ("MCP, land", len(str(seat.land("none")))),
        ("command line, turn after a landing", _call(where, "team", "turn")),
    ]
    others = [s["seat"] for s in team.show_status(root)["seats"] if s["seat"] != name]
    for other in others:
        sizes.append(("command line, turn of the others", len(team.turn(root, other)["text"])))
    question = seat.poll_question()
    sizes.append(("MCP, what_am_i_asked", 0 if question is None else len(str(question))))
    return sizes


def _call(where: Path, *words: str, text: str = "") -> int:
    """The characters that a command prints."""
    out = io.StringIO()
    with chdir(where), redirect_stdout(out), suppress(SystemExit):
        if text:
            Path("words.txt").write_text(text)
            words = (*words, "words.txt")
        run_graphbus(list(words))
        Path("words.txt").unlink(missing_ok=True)
    return len(out.getvalue())
