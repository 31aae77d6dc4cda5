"""What a run of pytest says of each test, read from outside; which tests a change touches; and the decoy."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from graphbus_core.build.confine.sandbox import Ran
from graphbus_core.build.edit.reach import is_test_file

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

    ran: Ran
    ends: Mapping[str, str] = field(default_factory=dict)
    whole: bool = False


def read(ran: Ran) -> SuiteOutcome:
    """The list at the end of a run with `-rA`. Where a test stands in it twice, the worse counts."""
    _, found, summary = ran.output.rpartition(_HEAD)
    lines = (summary if found else ran.output).splitlines()
    ends: dict[str, str] = {}
    for line in lines if found else ():
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
    known = scratch / path
    function = re.sub(r"\[.*", "", inside.rpartition("::")[2])
    if not known.is_file() or not function.isidentifier():
        return None
    stem = known.stem
    name = f"{stem}_{word}" if stem.startswith("test") else f"t{word}_{stem}"
    made = known.with_name(f"{name}.py")
    made.write_text(f"def {function}_{word}():\n    assert not {function!r}\n")
    return f"{PurePosixPath(path).with_name(made.name)}::{function}_{word}"


def changed_tests(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> frozenset[str]:
    """The tests that a change touches: `path::name` where only its own function changes, else the whole file."""
    found: set[str] = set()
    for path, text in after.items():
        if not is_test_file(path) or before.get(path) == text:
            continue
        old, new = _functions(before.get(path, b"")), _functions(text)
        if old is None or new is None or old.pop("", None) != new.pop("", None):
            found.add(path)
        else:
            found |= {f"{path}::{name}" for name in {*old, *new} if old.get(name) != new.get(name)}
    return frozenset(found)


def _functions(text: bytes) -> dict[str, str] | None:
    """Each test of a file by its name, and under the empty name all that is left of it."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    found: dict[str, str] = {}
    rest: list[str] = []
    for node in tree.body:
        tests: list[ast.stmt] = [node]
        prefix = ""
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            tests, prefix = node.body, f"{node.name}::"
            rest.append(f"{node.name}{[ast.dump(part) for part in (*node.decorator_list, *node.bases)]}")
        for one in tests:
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and one.name.startswith("test"):
                found[f"{prefix}{one.name}"] = ast.dump(one)
            else:
                rest.append(ast.dump(one))
    return {**found, "": "".join(rest)}


def is_among(test: str, names: Collection[str]) -> bool:
    """Whether a test is one of these, or lies in one of these files; `path::name[parameter]` is `path::name`."""
    plain = test.partition("[")[0]
    return plain in names or test.partition("::")[0] in names
