import ast
import inspect
from pathlib import Path

from harbour import Harbour
from tide import Tide


def test_admit():
    assert Harbour().admit(depth=Tide().forecast(8)["height_m"])["ok"]


def test_stub_agrees():
    tree = ast.parse(Path("harbour.pyi").read_text())
    stub = [a.arg for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) and f.name == "admit" for a in f.args.args]
    assert stub == list(inspect.signature(Harbour.admit).parameters)
