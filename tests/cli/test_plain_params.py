"""Plain values on the command line are coerced without pydantic, and mean what typer makes of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.main import get_command

from graphbus_core.cli.options import simplify_params

app = typer.Typer(add_completion=False)
seen: list[Any] = []


@app.command()
def command(
    name: str,
    rest: Annotated[list[str] | None, typer.Argument()] = None,
    number: int = 3,
    share: float | None = None,
    many: Annotated[list[int] | None, typer.Option()] = None,
    folder: Annotated[Path, typer.Option()] = Path("x"),
    flag: bool = False,
) -> None:
    seen.append((name, rest, number, share, many, folder, flag))


CALLS = [
    ["a"],
    ["a", "b", "c"],
    ["a", "--number", "7", "--share", "0.5", "--flag"],
    ["a", "--many", "1", "--many", "2"],
    ["a", "--folder", "some/where"],
]


@pytest.mark.parametrize("args", CALLS)
def test_values_are_those_that_typer_gives(args: list[str]) -> None:
    """The same with and without."""
    seen.clear()
    for made in (get_command(app), simplify_params(get_command(app))):
        made.main(args=args, standalone_mode=False)
    assert seen[0] == seen[1]


@pytest.mark.parametrize("args", [["a", "--number", "x"], ["a", "--share", "much"], ["a", "--many", "1.5"]])
def test_a_value_of_another_kind_is_refused_as_typer_refuses_it(args: list[str]) -> None:
    """With typer's own error, which the command line turns into exit code 2."""
    with pytest.raises(typer.BadParameter):
        simplify_params(get_command(app)).main(args=args, standalone_mode=False)


def test_a_quick_command_imports_no_pydantic(tmp_path: Path) -> None:
    """That is all it is for."""
    script = (
        "import sys\nfrom graphbus_core.cli.main import main\nmain(['validate', 'nope'])\n"
        "sys.exit('pydantic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True).returncode == 0
