"""The cases of two other tools, read from their own tests: two documents, and what those tests expect of the pair.

openapi-diff (Java): `assertSpecIncompatible(A, B, …)`, `assertSpecChangedButCompatible`, `assertOpenApiAreEquals`, ….
oasdiff (Go): tests of one rule that load two files and change neither. Which rules a test expects, and the level that
`rules.go` gives each, say what is expected of the pair: an error breaks, information does not. Warnings are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_JAVA = {
    "assertSpecUnchanged": False,
    "assertSpecChangedButCompatible": False,
    "assertSpecIncompatible": True,
    "assertOpenApiAreEquals": False,
    "assertOpenApiBackwardCompatible": False,
    "assertOpenApiBackwardIncompatible": True,
}
_CONSTANT = re.compile(r'String (\w+)\s*=\s*"([^"]+)"')
_CALL = re.compile(rf"\b({'|'.join(_JAVA)})\(\s*([^,()]+?)\s*,\s*([^,()]+?)\s*[,)]", re.S)
_GO_TEST = re.compile(r"^func (Test\w+)\(.*?^}", re.S | re.M)
_GO_RULE = re.compile(r"\((\w+Id), (ERR|WARN|INFO),")
_GO_EXPECTED = re.compile(r"^(?!.*(?:Not|Empty|No[A-Z])).*?checker\.(\w+Id)\b", re.M)
_GO_FILE = re.compile(r'\bopen\("(\.\./data/[^"]+)"\)')


@dataclass(frozen=True)
class Case:
    """Two documents, and whether the other tool's tests say that the second breaks who uses the first."""

    name: str
    old: Path
    new: Path
    breaks: bool


def find_java_cases(repository: Path) -> Iterator[Case]:
    data = repository / "core/src/test/resources"
    for file in sorted((repository / "core/src/test/java").rglob("*Test.java")):
        text = file.read_text()
        constants = dict(_CONSTANT.findall(text))
        for call, *arguments in _CALL.findall(text):
            names = [a.strip('"') if a.startswith('"') else constants.get(a) for a in arguments]
            folders = [data, data / "backcompat"]
            found = [next((f / n for f in folders if n and (f / n).is_file()), None) for n in names]
            if found[0] is not None and found[1] is not None:
                yield Case(f"{file.stem}: {names[0]} -> {names[1]}", found[0], found[1], _JAVA[call])


def find_go_cases(repository: Path) -> Iterator[Case]:
    levels = dict(_GO_RULE.findall((repository / "checker/rules.go").read_text()))
    for file in sorted((repository / "checker").glob("check_*_test.go")):
        for test in _GO_TEST.finditer(file.read_text()):
            body = test[0]
            files = _GO_FILE.findall(body)
            is_changed = re.search(r"\bs[12]\.Spec\.|\bdelete\(", body)
            expected = {levels.get(rule, "WARN") for rule in _GO_EXPECTED.findall(body)}
            if len(files) != 2 or is_changed or not expected & {"ERR", "INFO"}:
                continue
            old, new = ((repository / "checker" / name).resolve() for name in files)
            if old.is_file() and new.is_file() and old != new:
                yield Case(test[1], old, new, "ERR" in expected)
