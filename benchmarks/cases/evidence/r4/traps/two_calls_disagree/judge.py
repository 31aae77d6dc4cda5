"""Two scripts hand the invoice to the charger: one takes gross, one takes net.

Exit 0 right, 3 not repaired, 1 wrong or broken. Run in the copy of `project/`.
"""
import ast
import collections.abc
import dataclasses
import importlib
import inspect
import os
import re
import subprocess
import sys
import types
import typing
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path.cwd()
ORIGINAL = Path(__file__).resolve().parent / "project"
sys.path.insert(0, str(HERE))


class Refused(Exception):
    """The bus would not hand it over."""


def fits(value, hint):
    if hint is typing.Any or hint is inspect.Parameter.empty or isinstance(hint, (typing.TypeVar, typing.ForwardRef, str)):
        return True
    if hint is None or hint is type(None):
        return value is None
    if hasattr(hint, "__supertype__"):
        return fits(value, hint.__supertype__)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Annotated, typing.Required, typing.NotRequired):
        return fits(value, args[0])
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, one) for one in args)
    if origin is typing.Literal:
        return value in args
    if typing.is_typeddict(hint):
        hints = typing.get_type_hints(hint)
        return isinstance(value, dict) and all(k in value for k in hint.__required_keys__) and all(
            fits(value[k], h) for k, h in hints.items() if k in value)
    if origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            return isinstance(value, tuple) and all(fits(v, args[0]) for v in value)
        return isinstance(value, tuple) and len(value) == len(args) and all(map(fits, value, args))
    if isinstance(origin, type) and issubclass(origin, collections.abc.Mapping):
        return isinstance(value, origin) and all(fits(k, args[0]) and fits(v, args[1]) for k, v in value.items())
    if isinstance(origin, type) and issubclass(origin, collections.abc.Iterable):
        return isinstance(value, origin) and not isinstance(value, str) and all(fits(v, args[0]) for v in value)
    hint = origin or hint
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint) if isinstance(hint, type) else True


def send(result, method):
    """As the bus would: by name, what is not declared is ignored, hints are checked."""
    if dataclasses.is_dataclass(result):
        result = {f.name: getattr(result, f.name) for f in dataclasses.fields(result)}
    elif hasattr(result, "_asdict"):
        result = result._asdict()
    plain = inspect.unwrap(getattr(method, "__func__", method))
    hints, given, wrong = typing.get_type_hints(plain), {}, []
    for name, p in list(inspect.signature(plain).parameters.items())[1:]:
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            continue
        if name not in result:
            if p.default is p.empty:
                wrong.append("missing " + name)
        elif not fits(result[name], hints.get(name, typing.Any)):
            wrong.append("type " + name)
        else:
            given[name] = result[name]
    if wrong:
        raise Refused("; ".join(sorted(wrong)))
    return method(**given)


def load(where):
    module, name = where.split(":")
    return getattr(importlib.import_module(module), name)


def trees(root):
    found = {}
    for path in root.rglob("*.py"):
        parts = path.relative_to(root).parts
        if not any(p.startswith(".") or p == "__pycache__" for p in parts):
            found["/".join(parts)] = ast.dump(ast.parse(path.read_text()))
    return found


def run(*args):
    env = dict(os.environ, PYTHONPATH=os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]), PYTHONDONTWRITEBYTECODE="1")
    return subprocess.run([sys.executable, "-B", *args], cwd=HERE, env=env, capture_output=True, text=True, timeout=120)


def around():
    for script, said in SCRIPTS.items():
        done = run(script)
        assert done.returncode == 0, script + " fails: " + done.stderr[-300:]
        assert done.stdout == said, script + " says something else: " + done.stdout[-300:]
    if PASSED:
        done = run("-m", "pytest", "-q", "-p", "no:cacheprovider")
        passed = re.search(r"(\d+) passed", done.stdout)
        assert done.returncode == 0 and passed and int(passed[1]) >= PASSED, "tests: " + done.stdout[-600:]


ASK = True
BEFORE = 'missing amount'
SCRIPTS = {'scripts/retail.py': 'R-1: 119.00\n', 'scripts/reverse_charge.py': 'B-7: 100.00\n'}
PASSED = 0


def check():
    send(load("shop.invoicing:Invoicing")().make("X", 100.0), load("shop.charger:Charger")().charge)
    raise AssertionError("gross or net was decided without asking")


def main():
    try:
        around()
    except Exception as broken:
        print("broken:", broken)
        return 1
    try:
        check()
    except Refused as refused:
        print("refused:", refused)
        if ASK:
            return 0 if trees(HERE) == trees(ORIGINAL) else 1
        return 3 if str(refused) == BEFORE else 1
    except Exception as wrong:
        print("wrong:", type(wrong).__name__, wrong)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
