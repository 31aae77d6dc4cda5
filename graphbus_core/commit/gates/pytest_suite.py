"""Whether a change makes a test say less than before: fewer assertions, a skip, a looser comparison, a test gone.

A test that a change is carried through keeps its assertions. One that is made to pass by saying less is no longer the
witness that its author meant, and only a person agrees to that. From the text alone; nothing runs.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from graphbus_core.editing.scope import is_test_file
from graphbus_core.sandbox.runner import RunResult

# What a run of pytest says of each test, read from outside; which tests a change touches; and the decoy.


_WORDS = {"PASSED": "passed", "FAILED": "failed", "ERROR": "error", "XFAIL": "skipped", "XPASS": "passed"}
_LINE = re.compile(r"(PASSED|FAILED|ERROR|XFAIL|XPASS) (\S+?\.py(?:::.*?)?)(?: - .*)?$")
_SKIPPED = re.compile(r"SKIPPED \[\d+\] (\S+?\.py)(?::\d+)?")
_HEAD = "short test summary info"
_END = re.compile(
    r"\b\d+ (?:passed|failed|skipped|errors?|deselected|xfailed|xpassed|warnings?)\b.* in [\d.]+s|no tests ran"
)
# Worst last: what is said twice of one test counts as the worse.
_WORSE = ("passed", "skipped", "failed", "error")


@dataclass(frozen=True)
class SuiteOutcome:
    """`ends`: test -> passed, skipped, failed or error. `whole`: whether the run came to its own end."""

    ran: RunResult
    ends: Mapping[str, str] = field(default_factory=dict)
    whole: bool = False


def read_outcome(ran: RunResult) -> SuiteOutcome:
    """The list at the end of a run with `-rA`. Where a test stands in it twice, the worse counts."""
    _, heading, summary = ran.output.rpartition(_HEAD)
    lines = (summary if heading else ran.output).splitlines()
    ends: dict[str, str] = {}
    for line in lines if heading else ():
        match = _LINE.match(line.strip())
        skipped = _SKIPPED.match(line.strip())
        name = match[2] if match else skipped[1] if skipped else None
        if name is not None:
            end = _WORDS[match[1]] if match else "skipped"
            ends[name] = max(end, ends.get(name, end), key=_WORSE.index)
    return SuiteOutcome(ran, ends, any(_END.search(line) for line in lines[-3:]))


def put_decoy(scratch: Path, like: str, word: str) -> str | None:
    """Write a test that must fail beside a known one, and named like it, so that it is collected; gives its name.

    None where the known test's file is not in the copy (tests that are made up at run time).
    """
    path, _, inside = like.partition("::")
    known_file = scratch / path
    function = re.sub(r"\[.*", "", inside.rpartition("::")[2])
    if not known_file.is_file() or not function.isidentifier():
        return None
    stem = known_file.stem
    name = f"{stem}_{word}" if stem.startswith("test") else f"t{word}_{stem}"
    decoy_file = known_file.with_name(f"{name}.py")
    decoy_file.write_text(f"def {function}_{word}():\n    assert not {function!r}\n")
    return f"{PurePosixPath(path).with_name(decoy_file.name)}::{function}_{word}"


def find_changed_tests(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> frozenset[str]:
    """The tests that a change touches: `path::name` where only its own function changes, else the whole file."""
    touched: set[str] = set()
    for path, text in after.items():
        if not is_test_file(path) or before.get(path) == text:
            continue
        old, new = _split_tests(before.get(path, b"")), _split_tests(text)
        if old is None or new is None or old.pop("", None) != new.pop("", None):
            touched.add(path)
        else:
            touched |= {f"{path}::{name}" for name in {*old, *new} if old.get(name) != new.get(name)}
    return frozenset(touched)


def _split_tests(text: bytes) -> dict[str, str] | None:
    """Each test of a file by its name, and under the empty name all that is left of it."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    tests_by_name: dict[str, str] = {}
    rest: list[str] = []
    for node in tree.body:
        tests: list[ast.stmt] = [node]
        prefix = ""
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            tests, prefix = node.body, f"{node.name}::"
            rest.append(f"{node.name}{[ast.dump(part) for part in (*node.decorator_list, *node.bases)]}")
        for statement in tests:
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and statement.name.startswith("test"):
                tests_by_name[f"{prefix}{statement.name}"] = ast.dump(statement)
            else:
                rest.append(ast.dump(statement))
    return {**tests_by_name, "": "".join(rest)}


def is_among(test: str, names: Collection[str]) -> bool:
    """Whether a test is one of these, or lies in one of these files; `path::name[parameter]` is `path::name`."""
    plain = test.partition("[")[0]
    return plain in names or test.partition("::")[0] in names


_SKIPS = frozenset({"skip", "skipif", "skipIf", "skipUnless", "xfail", "importorskip", "SkipTest", "expectedFailure"})
_COLLECTION = frozenset({"__test__", "collect_ignore", "collect_ignore_glob", "pytest_ignore_collect"})
_COLLECTION |= {"pytest_collection_modifyitems", "pytest_runtest_setup", "pytest_pycollect_makeitem", "pytest_plugins"}
_HARMLESS = frozenset({"parametrize", "asyncio", "anyio"})  # what a test may wear and still says as much
SKIPPED = "its tests may be skipped"
LEFT_OUT = "its tests may be left out of a run"
_EXACT = frozenset({"assertEqual", "assertIs", "assertListEqual", "assertDictEqual", "assertCountEqual"})


@dataclass
class _TestStrength:
    """What one test says: how often it checks, how often exactly, how often it may be left out."""

    checks: int = 0
    exact: int = 0
    skips: int = 0
    ways_out: int = 0  # `or` in a check, a check that is always true, a tolerance, an error that is swallowed


def find_weakened_tests(
    before: Mapping[str, bytes], after: Mapping[str, bytes], created: Collection[str] = ()
) -> list[str]:
    """Each test that says less than before, with what it lost, as `tests/test_x.py::test_y: 1 check fewer`."""
    problems: list[str] = []
    for path in sorted(after):
        if path in created or not (is_test_file(path) or path.startswith("tests/")):
            continue
        old, new = _read_test_file(before[path]), _read_test_file(after[path])
        for name, was in old.tests.items():
            lost = ["it is gone"] if name not in new.tests else list(_describe_losses(was, new.tests[name]))
            if lost:
                problems.append(f"{path}::{name}: {', '.join(lost)}")
        problems += [f"{path}: {why}" for why, count in new.around.items() if count > old.around[why]]
    return problems


def _describe_losses(was: _TestStrength, now: _TestStrength) -> Iterator[str]:
    if now.checks < was.checks:
        yield f"{was.checks - now.checks} check{'s' * (was.checks - now.checks != 1)} fewer"
    elif now.exact < was.exact:
        yield "a looser comparison"
    if now.skips > was.skips:
        yield "it may be skipped"
    if now.ways_out > was.ways_out:
        yield "a check with a way out"


@dataclass
class _TestFile:
    """The tests of a file by name, and what stands around them that may leave every one of them out, how often."""

    tests: dict[str, _TestStrength]
    around: Counter[str]


def _read_test_file(data: bytes) -> _TestFile:
    """Every test function with its class; helpers that check count as tests of their own."""
    try:
        tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return _TestFile({}, Counter())
    inside = dict(_iter_test_functions(tree.body, ""))
    counted = {id(node) for node, _ in inside.values()}
    around: Counter[str] = Counter()
    # What is not a test's own counts: a mark on the module or a class, a fixture, a set-up, a bare call, a condition.
    waiting: list[ast.AST] = [tree]
    while waiting:
        current = waiting.pop()
        if id(current) not in counted:
            around[SKIPPED] += _is_skip(current)
            around[LEFT_OUT] += _is_left_out(current, inside)
            waiting += ast.iter_child_nodes(current)
    return _TestFile({name: strength for name, (_, strength) in inside.items()}, around)


def _iter_test_functions(body: list[ast.stmt], outer: str) -> Iterator[tuple[str, tuple[ast.AST, _TestStrength]]]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            strength = _measure_strength(node)
            if node.name.startswith("test") or strength.checks:
                yield f"{outer}{node.name}", (node, strength)
        elif isinstance(node, ast.ClassDef):
            yield from _iter_test_functions(node.body, f"{outer}{node.name}::")


def _measure_strength(function: ast.AST) -> _TestStrength:
    strength = _TestStrength(
        skips=sum(_read_last_name(d) not in _HARMLESS for d in getattr(function, "decorator_list", ()))
    )
    for node in ast.walk(function):
        strength.skips += _is_skip(node)
        match node:
            case ast.Assert(test=test):
                strength.checks += 1
                strength.exact += _is_exact(test)
                strength.ways_out += _count_ways_out(test)
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[_, ast.List(elts=rows) | ast.Tuple(elts=rows)]):
                strength.checks += len(rows) - 1  # a test without one has one case
            case ast.Call(func=ast.Attribute(attr=name)) if name == "raises" or name.startswith("assert"):
                strength.checks += 1
                strength.exact += name in _EXACT
            case _:
                strength.ways_out += _is_bypass(node)
    return strength


def _is_bypass(node: ast.AST) -> bool:
    """Whether a check in it may not be reached, or fail unseen: an early end, a condition, an error that is caught."""
    match node:
        case ast.Return():
            return True
        case ast.Try(handlers=[_, *_], body=body) | ast.If(body=body) | ast.While(body=body) | ast.For(body=body):
            return any(isinstance(inner, ast.Assert) for statement in body for inner in ast.walk(statement))
    return False


def _is_exact(test: ast.expr) -> bool:
    return any(isinstance(op, ast.Eq | ast.Is) for n in ast.walk(test) if isinstance(n, ast.Compare) for op in n.ops)


def _count_ways_out(test: ast.expr) -> int:
    outs = sum(isinstance(n, ast.BoolOp) and isinstance(n.op, ast.Or) for n in ast.walk(test))
    outs += sum(isinstance(n, ast.Call) and ast.unparse(n.func).rpartition(".")[2] == "approx" for n in ast.walk(test))
    outs += sum(isinstance(n, ast.Compare) and _is_idle(n) for n in ast.walk(test))
    return outs + isinstance(test, ast.Constant)


def _is_idle(comparison: ast.Compare) -> bool:
    """Whether a comparison says nothing of the program: of literals alone, or of something with itself."""
    sides = [comparison.left, *comparison.comparators]
    spoken = any(isinstance(n, ast.Name | ast.Call) for side in sides for n in ast.walk(side))
    return not spoken or len({ast.dump(side) for side in sides}) == 1


def _read_last_name(expression: ast.expr) -> str:
    return ast.unparse(expression.func if isinstance(expression, ast.Call) else expression).rpartition(".")[2]


def _is_skip(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in _SKIPS
    return isinstance(node, ast.Name) and node.id in _SKIPS


def _is_left_out(node: ast.AST, tests: Collection[str]) -> bool:
    """What decides which tests there are: `__test__ = False`, `collect_ignore = […]`, a hook, `test_x = None`."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
            return name in _COLLECTION or any(name == test.rpartition("::")[2] for test in tests)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return name in _COLLECTION
        case ast.Call(func=ast.Attribute(attr="exit") | ast.Name(id="exit" | "_exit" | "quit")):
            return True
    return False
