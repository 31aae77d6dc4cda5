"""Judge: 0 right, 3 not repaired, 1 repaired wrongly or something broken. Run in a copy of project/."""
import ast
import asyncio
import builtins
import dataclasses
import importlib
import importlib.util
import inspect
import os
import subprocess
import sys
import textwrap
import tomllib
import types
import typing
from pathlib import Path

sys.dont_write_bytecode = True
ORIGINAL = Path(__file__).resolve().parent / "project"
COPY = Path.cwd()
sys.path.insert(0, str(COPY))

KIND = 'hostile'
LINK = 'Ferry.arrive'
ALIASES = ['Ferry.arrive', 'ferry.Ferry.arrive']
METHOD = 'lower'
BEFORE = ('missing', 'vehicles')
RUNS = [
    (['-m', 'pytest', '-q', '-p', 'no:cacheprovider'], None),
    (['port.py'], '3\n'),
]


def make():
    producer = importlib.import_module('ferry')
    consumer = importlib.import_module('ramp')
    return producer.Ferry(), consumer.Ramp()


def published(producer, act):
    sent = []
    producer.publish = lambda topic, payload=None: sent.append(payload)
    act()
    return sent[-1]


def produce(producer):
    return producer.arrive()


def wanted(got, producer, consumer):
    return got == {"lanes": 3}


class Refused(Exception):
    """The bus does not hand this result over: args are (how, field)."""


def done(code, why):
    print(why)
    sys.exit(code)


def unchanged():
    def trees(root):
        return {str(p.relative_to(root)): ast.dump(ast.parse(p.read_text()))
                for p in root.rglob("*.py")
                if not any(part.startswith(".") for part in p.relative_to(root).parts)}
    return trees(ORIGINAL) == trees(COPY)


def around():
    env = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    env["PYTHONPATH"] = os.pathsep.join([str(COPY)] + [p for p in [env.get("PYTHONPATH")] if p])
    for command, output in RUNS:
        if "pytest" in command and not importlib.util.find_spec("pytest"):
            continue
        ran = subprocess.run([sys.executable, "-B", *command], cwd=COPY, env=env, capture_output=True, text=True,
                             timeout=600)
        if ran.returncode:
            done(1, f"{command} worked before, now: {(ran.stdout + ran.stderr)[-800:]}")
        if output is not None and ran.stdout != output:
            done(1, f"{command} printed {output!r}, now {ran.stdout!r}")


def fits(value, hint):
    if hint in (typing.Any, inspect.Parameter.empty, object):
        return True
    if hint is None:
        return value is None
    origin = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        return any(fits(value, each) for each in typing.get_args(hint))
    if origin is typing.Literal:
        return value in typing.get_args(hint)
    if origin is typing.Annotated:
        return fits(value, typing.get_args(hint)[0])
    if origin is list or origin is set:
        args = typing.get_args(hint)
        return isinstance(value, origin) and all(fits(each, args[0]) for each in value)
    if origin is dict:
        key, val = typing.get_args(hint)
        return isinstance(value, dict) and all(fits(k, key) and fits(v, val) for k, v in value.items())
    if origin is tuple:
        return isinstance(value, tuple)
    if typing.is_typeddict(hint):
        return isinstance(value, dict)
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if isinstance(hint, typing.NewType):
        return fits(value, hint.__supertype__)
    return isinstance(value, hint) if isinstance(hint, type) else True


def declared(method):
    """{field: (hint, required)} of the consumer: input_schema, or else the hints of its signature."""
    plain = inspect.unwrap(method)
    parameters = {n: p for n, p in inspect.signature(plain).parameters.items() if n != "self"}
    fields = {}
    try:
        hints = typing.get_type_hints(plain)
    except Exception:
        hints = {}
    for name, par in parameters.items():
        if par.kind not in (par.VAR_KEYWORD, par.VAR_POSITIONAL):
            fields[name] = (hints.get(name, typing.Any), par.default is par.empty)
    tree = ast.parse(textwrap.dedent(inspect.getsource(plain)))
    for call in tree.body[0].decorator_list:
        for word in getattr(call, "keywords", []):
            if word.arg == "input_schema":
                schema = eval(compile(ast.Expression(word.value), "schema", "eval"), dict(plain.__globals__))
                for name, hint in (schema or {}).items():
                    fields[name] = (hint, fields.get(name, (None, True))[1])
    return fields


def function(value):
    if callable(value):
        return value
    if ":" in value or "." in value:
        module, _, name = value.replace(":", ".").rpartition(".")
        return getattr(importlib.import_module(module), name)
    return getattr(builtins, value)


def mappings(method, fields):
    names, functions = {}, {}
    for key, value in (getattr(method, "_graphbus_mappings", None) or {}).items():
        if key == LINK or key in ALIASES:
            names.update(value[0] or {})
            functions.update(value[1] or {})

    def search(table):
        if isinstance(table, dict):
            if isinstance(table.get("map"), dict) and set(table["map"]) <= set(fields):
                names.update({k: v for k, v in table["map"].items() if isinstance(v, str)})
                functions.update({k: function(v) for k, v in (table.get("convert") or {}).items()})
            for each in table.values():
                search(each)
        elif isinstance(table, list):
            for each in table:
                search(each)
    for file in COPY.rglob("contracts.toml"):
        search(tomllib.loads(file.read_text()))
    return names, functions


def handed(result, method):
    fields = declared(method)
    names, functions = mappings(method, fields)
    if hasattr(result, "_asdict"):
        result = result._asdict()
    elif dataclasses.is_dataclass(result):
        result = {f.name: getattr(result, f.name) for f in dataclasses.fields(result)}
    elif hasattr(type(result), "__attrs_attrs__"):
        result = {a.name: getattr(result, a.name) for a in type(result).__attrs_attrs__}
    elif not isinstance(result, dict):
        result = dict(vars(result))
    given = {}
    for field, (hint, required) in fields.items():
        source = names.get(field, field)
        if source not in result:
            if required:
                raise Refused("missing", field)
            continue
        value = result[source]
        if field in functions:
            value = functions[field](value)
        if not fits(value, hint):
            raise Refused("type", field)
        given[field] = value
    return given


def run(value):
    return asyncio.run(value) if inspect.isawaitable(value) else value


def check():
    producer, consumer = make()
    result = run(produce(producer))
    method = getattr(consumer, METHOD)
    given = handed(result, method)
    got = run(method(**given))
    return bool(wanted(got, producer, consumer)), got


def main():
    if KIND == "traps" and not unchanged():
        done(1, "changed without asking")
    around()
    try:
        right, got = check()
    except Refused as refusal:
        if KIND == "traps":
            done(0, "nothing changed, still to be asked")
        if refusal.args != BEFORE:
            done(1, f"refused in another way: {refusal.args}")
        done(3, f"still refused: {refusal.args}")
    except Exception as error:
        done(1, f"broken: {type(error).__name__}: {error}")
    if KIND == "traps":
        done(1, f"linked without asking: {got!r}")
    done(0 if right else 1, f"{'right' if right else 'wrong'}: {got!r}")


if __name__ == "__main__":
    main()
