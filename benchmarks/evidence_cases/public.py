"""Correct public programs, turned into nodes with the least editing: no finding is true of them, and nothing changes.

The editing is done here, on a copy: a base class and a decorator that repeats the signature and the keys that a method
is seen to return. Nothing of theirs stands in this repository; GRAPHBUS_PUBLIC names a folder that holds each as
`owner+name` (`git archive` of the commit below).
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import json
import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.evidence_cases.judge import contents
from graphbus_core.cli.main import main as graphbus

FOLDER = "GRAPHBUS_PUBLIC"
OWN = {"propose", "evaluate", "commit", "publish", "call"}  # what GraphBusNode means something else by
NOT_NODES = {"Enum", "Exception", "NamedTuple", "TypedDict", "Protocol", "BaseModel", "dict", "str", "list", "type"}


@dataclass(frozen=True)
class Program:
    """`package` is the folder that is scanned; `style` says why it is among them."""

    repository: str
    commit: str
    package: str
    style: str


PROGRAMS = (
    Program("cosmicpython/code", "14c84797ffa77255d53cf1a02fe6aafda2b68aeb", "src/allocation", "commands and events"),
    Program("jhao104/proxy_pool", "0e40a7ca2d4ff7cdf5c89e599f6543b39438c3e2", ".", "a scraper's services"),
    Program("codelucas/newspaper", "1618b547f31c2d1fd19ae3b6afd8f7542dd02074", "newspaper", "a scraper, untyped"),
    Program("pypa/twine", "f536ac5d0c77a24a997854328e64644f576b4992", "twine", "a command-line tool, typed"),
    Program("samuelcolvin/arq", "1315583f170512fc63622af0200a2855e057a58d", "arq", "a job queue, asynchronous"),
    Program("dbader/schedule", "82a43db1b938d8fdf60103bd41f329e06c8d3651", "schedule", "a fluent interface"),
    Program("jazzband/tablib", "234f434a56cab7540230888112808f6b89fbf7a0", "src/tablib", "formats as plug-ins"),
    Program("pytest-dev/pluggy", "e382e72789f8d791991c489d4322aa04e660b952", "src/pluggy", "hooks"),
    Program("mara/mara-pipelines", "6c8ae5efc31ff49c61abb0cb8502e02f68a8276f", "mara_pipelines", "a pipeline of nodes"),
    Program("python-bonobo/bonobo", "feb7ec850566ca3c2ccc139610201dbd237d6083", "bonobo", "a pipeline of generators"),
)


def missing_public() -> str:
    """Why the public programs cannot be judged, or nothing."""
    stood = os.environ.get(FOLDER)
    if not stood:
        return f"set {FOLDER} to a folder with {len(PROGRAMS)} checkouts (`--list-public` names them)."
    absent = [one.repository for one in PROGRAMS if not place(one).is_dir()]
    return f"{FOLDER} holds no {', '.join(absent)}." if absent else ""


def place(program: Program) -> Path:
    """Where a program is read."""
    return Path(os.environ[FOLDER]) / program.repository.replace("/", "+")


def check_public(only: str, show: bool) -> bool:
    """Print a line for each; whether none has a finding and none was changed."""
    print(f"\npublic: {len(PROGRAMS)} programs as nodes")
    met = True
    for program in PROGRAMS:
        if only not in program.repository:
            continue
        with TemporaryDirectory(prefix="evidence") as folder:
            copy = Path(folder) / "program"
            shutil.copytree(place(program), copy)
            nodes = sum(to_nodes(path) for path in sorted((copy / program.package).rglob("*.py")))
            stand = contents(copy)
            began = time.process_time()
            links: dict[str, int] = {}
            found = list(findings(copy, program.package, links))
            changed = [name for name, text in contents(copy).items() if stand.get(name) != text]
            spent = time.process_time() - began
        met &= not found and not changed and nodes > 0
        judged = links.get("build", 0)
        print(
            f"  {program.repository:<24} {nodes:>3} nodes {judged:>3} links   findings {len(found)}   "
            f"files changed {len(changed)}   {spent:.1f} s   {program.style}"
        )
        for one in found if show else found[:2]:
            print(f"      {one[:200]}")
    print(f"  no finding, no byte changed, in each   goal: all   {'yes' if met else 'NO'}")
    return met


def findings(copy: Path, package: str, links: dict[str, int]) -> Iterator[str]:
    """What `validate` and a build with the rules find wrong. `links`: how many each of them judged."""
    for command in (
        ["validate", package, "--json"],
        ["build", package, "--enable-agents", "--model", "rules", "--json"],
    ):
        out, err, stood = io.StringIO(), io.StringIO(), os.getcwd()
        os.chdir(copy)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                graphbus(command)
        finally:
            os.chdir(stood)
        lines = [line for line in out.getvalue().splitlines() if line.startswith("{")]
        if not lines:
            yield f"{command[0]}: {err.getvalue()[-300:]}"
            continue
        told = json.loads(lines[-1])
        links[command[0]] = len(told.get("links") or ())
        if "error" in told:
            yield f"{command[0]}: {told['error']}"
        for kind in ("findings", "mismatches", "lint"):
            # A note says what a run would need (a provider for a constructor's argument) and fails nothing.
            wrong = [one for one in told.get(kind) or () if not isinstance(one, dict) or one.get("level") != "note"]
            yield from (f"{command[0]} {kind}: {json.dumps(one, ensure_ascii=False)}" for one in wrong)
        yield from (f"{command[0]} changed {name}" for name in told.get("modified_files") or ())


def to_nodes(path: Path) -> int:
    """Make nodes of a file's plain classes, in place; how many."""
    text = path.read_text(encoding="utf-8")
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return 0
    lines = text.splitlines(keepends=True)
    edits: list[tuple[int, str | tuple[str, str]]] = []
    nodes = 0
    for found in tree.body:
        if not isinstance(found, ast.ClassDef) or not _plain(found):
            continue
        nodes += 1
        known = _known(tree, found)
        head = f"class {found.name}"
        bases = "(GraphBusNode" + (", " if found.bases or found.keywords else ")")
        written = lines[found.lineno - 1]
        if found.bases or found.keywords:
            edits.append((found.lineno, (f"{head}(", f"{head}{bases}")))
        else:
            edits.append((found.lineno, (f"{head}()" if f"{head}()" in written else head, f"{head}{bases}")))
        for method in found.body:
            if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef) and (schema := _schema(method, known)):
                edits.append((method.lineno, " " * method.col_offset + schema + "\n"))
    if not nodes:
        return 0
    for line, edit in sorted(edits, key=lambda one: -one[0]):
        if isinstance(edit, tuple):
            lines[line - 1] = lines[line - 1].replace(*edit, 1)
        else:
            lines.insert(line - 1, edit)
    at = _after_head(tree)
    lines.insert(at, "import typing\nfrom graphbus_core import GraphBusNode, schema_method\n")
    new = "".join(lines)
    ast.parse(new)
    path.write_text(new, encoding="utf-8")
    return nodes


def _plain(found: ast.ClassDef) -> bool:
    names = {n.id if isinstance(n, ast.Name) else getattr(n, "attr", "") for n in found.bases}
    odd = any(base in name for base in NOT_NODES for name in names)
    # Who says how its instances are laid out, or made, is not a class to put a base under.
    laid_out = any(isinstance(n, ast.Assign) and "__slots__" in ast.unparse(n.targets[0]) for n in found.body)
    methods = [m for m in found.body if isinstance(m, ast.FunctionDef | ast.AsyncFunctionDef) and _schema(m, set())]
    odd |= any(isinstance(m, ast.FunctionDef) and m.name in OWN for m in found.body)
    return not odd and not found.decorator_list and not found.keywords and not laid_out and bool(methods)


def _schema(method: ast.FunctionDef | ast.AsyncFunctionDef, known: set[str]) -> str:
    """The decorator for a method that can have one: public, called on an instance, with parameters by name."""
    given = method.args
    if method.name.startswith("_") or method.decorator_list or given.vararg or given.kwarg or given.posonlyargs:
        return ""
    if not given.args or given.args[0].arg != "self":
        return ""
    optional = {a.arg for a in given.args[len(given.args) - len(given.defaults) :]} if given.defaults else set()
    optional |= {a.arg for a, d in zip(given.kwonlyargs, given.kw_defaults, strict=True) if d is not None}
    takes = {a.arg: _type(a.annotation, known) for a in [*given.args[1:], *given.kwonlyargs]}
    takes_text = ", ".join(f'"{n}": {f"NotRequired[{t}]" if n in optional else t}' for n, t in takes.items())
    keys = _keys(method)
    gives = "" if keys is None else ", output_schema={" + ", ".join(f'"{k}": typing.Any' for k in keys) + "}"
    return f"@schema_method(input_schema={{{takes_text}}}{gives})".replace("NotRequired[", "typing.NotRequired[")


def _type(annotation: ast.expr | None, known: set[str]) -> str:
    """The annotation as it stands, where every name in it is there when the class is made."""
    if annotation is None or any(
        isinstance(n, ast.Constant) and isinstance(n.value, str) for n in ast.walk(annotation)
    ):
        return "typing.Any"
    names = {n.id for n in ast.walk(annotation) if isinstance(n, ast.Name)}
    return ast.unparse(annotation) if names <= known | set(dir(builtins)) else "typing.Any"


def _known(tree: ast.Module, before: ast.ClassDef) -> set[str]:
    """The names that a module has bound at its top when it comes to a class."""
    names: set[str] = set()
    for found in tree.body:
        if found is before:
            break
        if isinstance(found, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).partition(".")[0] for alias in found.names}
        elif isinstance(found, ast.ClassDef):
            names.add(found.name)
    return names


def _keys(method: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str] | None:
    """The keys of the dict that it returns at its one `return`; None where that cannot be seen."""
    returns = [n for n in ast.walk(method) if isinstance(n, ast.Return | ast.Yield | ast.YieldFrom)]
    if len(returns) != 1 or not isinstance(returns[0], ast.Return) or not isinstance(returns[0].value, ast.Dict):
        return None
    keys = returns[0].value.keys
    if not keys or any(not isinstance(k, ast.Constant) or not isinstance(k.value, str) for k in keys):
        return None
    return [k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]


def _after_head(tree: ast.Module) -> int:
    """The line after the docstring and the `__future__` imports."""
    at = 0
    for number, found in enumerate(tree.body):
        doc = number == 0 and isinstance(found, ast.Expr) and isinstance(found.value, ast.Constant)
        if doc or (isinstance(found, ast.ImportFrom) and found.module == "__future__"):
            at = found.end_lineno or 0
    return at
