import ast
import inspect
from pathlib import Path

import tea


def test_ready():
    boiled = tea.Kettle().boil(litres=1.0)
    assert tea.Cup().steep(start=boiled["done_at"]) == {"ready": 420}


def test_stub_is_up_to_date():
    stub = ast.parse(Path(tea.__file__).with_suffix(".pyi").read_text())
    for cls in (n for n in stub.body if isinstance(n, ast.ClassDef)):
        for f in cls.body:
            real = inspect.signature(inspect.unwrap(getattr(getattr(tea, cls.name), f.name)))
            assert list(real.parameters) == [a.arg for a in f.args.args]
