"""Judge of one program: 0 right, 3 not repaired, 1 repaired wrongly or broken. ../../../FORMAT.md says how to run it."""

import ast
import contextlib
import dataclasses
import importlib
import inspect
import io
import os
import runpy
import subprocess
import sys
import tomllib
import traceback
import types
import typing
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, os.getcwd())
RIGHT = 'repair'
ORIGINAL = Path(__file__).resolve().parent / "project"


class Refused(Exception):
    """The consumer does not take what the producer gives: the mismatch is still there."""


def takes(hint, value):
    """Would a checked bus let this value through for this hint (or dict of hints)?"""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if hint in (typing.Any, object, inspect.Parameter.empty):
        return True
    if isinstance(hint, typing.NewType):
        return takes(hint.__supertype__, value)
    if origin in (typing.Annotated, typing.Required, typing.NotRequired):
        return takes(args[0], value)
    if origin in (typing.Union, types.UnionType):
        return any(takes(a, value) for a in args)
    if origin is typing.Literal:
        return value in args
    if hint is None or hint is type(None):
        return value is None
    if isinstance(hint, dict):
        return isinstance(value, dict) and all(
            takes(h, value[k]) if k in value else typing.get_origin(h) is typing.NotRequired for k, h in hint.items()
        )
    if typing.is_typeddict(hint):
        hints = typing.get_type_hints(hint)
        return (
            isinstance(value, dict)
            and all(k in value for k in hint.__required_keys__)
            and all(takes(h, value[k]) for k, h in hints.items() if k in value)
        )
    if dataclasses.is_dataclass(hint) and isinstance(value, dict):
        hints = typing.get_type_hints(hint)
        return all(
            takes(hints[f.name], value[f.name])
            if f.name in value
            else (f.default, f.default_factory) != (dataclasses.MISSING, dataclasses.MISSING)
            for f in dataclasses.fields(hint)
        )
    if hasattr(hint, "model_validate"):
        try:
            hint.model_validate(value)
        except ValueError:
            return False
        return True
    if origin is dict:
        return isinstance(value, dict) and all(takes(args[1], v) for v in value.values())
    if origin is tuple and args and args[-1] is not Ellipsis:
        return len(value) == len(args) and all(map(takes, args, value))
    if origin is not None and args:
        return isinstance(value, origin) and all(takes(args[0], v) for v in value)
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint) if isinstance(hint, type) else True


def plain(value):
    """A payload as it travels: dataclasses and models as dicts."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if hasattr(value, "model_dump"):
        return value.model_dump(by_alias=True)
    return value


def written(node, name):
    """The input_schema that stands at the method, or None."""
    for cls in type(node).__mro__:
        module = sys.modules.get(cls.__module__)
        if name not in vars(cls) or not getattr(module, "__file__", None):
            continue
        for part in ast.walk(ast.parse(Path(module.__file__).read_text())):
            if isinstance(part, ast.ClassDef) and part.name == cls.__name__:
                for f in part.body:
                    if isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef)) and f.name == name:
                        for d in f.decorator_list:
                            for k in getattr(d, "keywords", []):
                                if k.arg == "input_schema":
                                    return eval(ast.unparse(k.value), dict(vars(module)))
    return None


def refuse(node, name, why):
    raise Refused(f"{type(node).__name__}.{name}: {why}")


def made(hint, value):
    """A value as the consumer's own class where it wants one."""
    if hasattr(hint, "model_validate"):
        return hint.model_validate(value)
    if dataclasses.is_dataclass(hint) and isinstance(value, dict):
        return hint(**{f.name: value[f.name] for f in dataclasses.fields(hint) if f.name in value})
    return value


def declared(node, name, source):
    """The mapping that the project declares for what this method gets from a topic or Producer.method."""
    fields, functions = {}, {}
    found = getattr(getattr(node, name), "_graphbus_mappings", None) or {}
    if source in found:
        fields.update(found[source][0])
        functions.update(found[source][1])
    consumers = {f"{c.__name__}.{name}" for c in type(node).__mro__}

    def walk(part, words):
        if isinstance(part, list):
            for p in part:
                walk(p, words)
        elif isinstance(part, dict):
            words = words | {v for v in part.values() if isinstance(v, str)}
            if isinstance(part.get("map"), dict) and all(any(w in x for x in words for w in names) for names in ({source}, consumers)):
                fields.update({k: v for k, v in part["map"].items() if isinstance(v, str)})
            for key, p in part.items():
                walk(p, words | {key})

    for file in sorted(Path.cwd().rglob("contracts.toml")):
        walk(tomllib.loads(file.read_text()), set())
    return fields, functions


def mapped(node, name, source, payload):
    """The payload after that mapping; a field that is mapped away and not asked for stays, it is ignored anyway."""
    if not isinstance(payload, dict):
        return payload
    fields, functions = declared(node, name, source)
    out = dict(payload)
    for field, given in fields.items():
        if given in payload:
            out[field] = payload[given]
    for field, function in functions.items():
        if field in out:
            out[field] = function(out[field])
    return out


def feed(node, name, *given):
    """Hand results (source, payload, source, payload, ...) to a method as the bus would: mapped, by name, checked."""
    payload = {}
    for source, p in zip(given[::2], given[1::2], strict=True):
        payload.update(mapped(node, name, source, plain(p)))
    method, schema = getattr(node, name), written(node, name)
    if schema is not None and not takes(schema, payload):
        refuse(node, name, f"the schema refuses {sorted(payload)}")
    hints, given = typing.get_type_hints(inspect.unwrap(method), include_extras=True), {}
    for p in inspect.signature(method).parameters.values():
        if p.kind is p.VAR_KEYWORD:
            given.update({k: v for k, v in payload.items() if k not in given})
        elif p.kind is p.VAR_POSITIONAL:
            continue
        elif p.name in payload:
            if schema is None and not takes(hints.get(p.name, typing.Any), payload[p.name]):
                refuse(node, name, f"{p.name} has the wrong type")
            given[p.name] = made(hints.get(p.name, typing.Any), payload[p.name])
        elif p.default is p.empty:
            refuse(node, name, f"{p.name} is missing")
    try:
        return method(**given)
    except KeyError as e:
        refuse(node, name, f"no key {e}")


def send(node, name, source, payload):
    """Hand a whole payload to a method with one parameter, as an event or a direct call does."""
    payload = mapped(node, name, source, plain(payload))
    method, schema = getattr(node, name), written(node, name)
    if schema is not None and not takes(schema, payload):
        refuse(node, name, f"the schema refuses {sorted(payload)}")
    (p,) = inspect.signature(method).parameters.values()
    hint = typing.get_type_hints(inspect.unwrap(method)).get(p.name, typing.Any)
    if schema is None and not takes(hint, payload):
        refuse(node, name, f"{p.name} does not take {sorted(payload)}")
    try:
        return method(made(hint, payload))
    except KeyError as e:
        refuse(node, name, f"no key {e}")


def events(node):
    """What the node publishes from now on."""
    sent = []
    node.publish = lambda topic, payload=None, *a, **k: sent.append((topic, plain(payload)))
    return sent


def run(script):
    """The output of a script of the project; it must end well."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            runpy.run_path(script, run_name="__main__")
        except SystemExit as e:
            assert not e.code, f"{script} exits {e.code}"
    return out.getvalue()


def tests(*args):
    """The project's own tests must pass."""
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", os.getcwd(), *args]
    env = {**os.environ, "PYTHONPATH": os.getcwd(), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-500:]


def near(a, b):
    return abs(a - b) < 1e-6


def use(module):
    return importlib.import_module(module)


def unchanged():
    def code(folder):
        files = {p.relative_to(folder): p for p in folder.rglob("*.py")}  # what a tool keeps in hidden folders is its own
        return {str(r): ast.dump(ast.parse(p.read_text())) for r, p in files.items() if not any(x[0] == "." for x in r.parts)}

    try:
        return code(Path.cwd()) == code(ORIGINAL)
    except SyntaxError:
        return False


def around():
    """What worked before and must work still."""
    tests()


def check():
    """What an expert wants of the link."""
    p, b = use("paint.palette"), use("paint.brush")
    assert feed(b.Brush(), "paint", "Palette.mix", p.Palette().mix(16, 32)) == {"css": "background: #100020;"}


def main():
    untouched = unchanged()
    try:
        around()
        check()
    except Refused as e:
        print(f"refused: {e}")
        if untouched:
            return 0 if RIGHT == "ask" else 3
        if RIGHT == "ask":
            return 1  # it changed the source where it had to ask, and the link does not even hold
        before = subprocess.run([sys.executable, "-B", __file__], cwd=ORIGINAL, capture_output=True, text=True)
        return 3 if f"refused: {e}\n" in before.stdout else 1
    except BaseException:
        traceback.print_exc()
        return 1
    print("right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
