"""One room touches the disk: bytes get into files by `storage/`, and elsewhere only where a reason stands."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.structure.house import read_house

# Who else writes, and why `storage/` is not meant for it. May only shrink: a writer of user files, or of something
# that outlives the process, belongs into `storage/` and its fault suite (tests/storage/).
ELSEWHERE = {
    "inference/recorder.py": "a pipe, from the process of the tests",
    "artifacts/folder.py": "sources that no manifest names yet; a thousand of them, of which nobody reads one",
    "commit/landing/files.py": "a scratch folder, from which git merges by lines",
    "commit/landing/land.py": "opens the log of landings, which `append` writes",
    "commit/landing/repository.py": "a commit's message, in git's own folder, for hooks and for git",
    "commit/landing/suite.py": "a scratch copy of a tree",
    "commit/landing/replay/driver.py": "a pipe, from a process of its own",
    "commit/landing/replay/ground.py": "the files that a call is given, in a folder of that call within the sandbox",
    "commit/landing/replay/rehearsal.py": "tests in variants, in an export of a tree that is thrown away",
    "commit/landing/replay/products.py": "the tests of a side, in an export of a tree that is thrown away, and a pipe",
    "commit/landing/replay/recorder.py": "a pipe, from the process of the tests",
    "sessions/consent/files.py": "a probe, whether the log can be written before anybody is asked",
    "commit/disk.py": "the door of the journalled write, with a fault suite of its own",
    "commit/gates/pytest_suite.py": "a scratch copy",
    "sandbox/confined.py": "a pipe, and /proc of the sandbox",
    "services/contract_sharing/mutant_runner.py": "a scratch copy",
    "services/contract_sharing/neighbour_runner.py": "a scratch copy",
    "sandbox/scratch.py": "a scratch copy",
    "analysis/scan/child.py": "the answer of a child, in a scratch folder",
    "analysis/scan/importing_reader.py": "the question to a child, and the copy that it reads",
    "analysis/type_checker/port.py": "a scratch folder for the type checker",
    "analysis/type_checker/contract_types.py": "a scratch folder for the type checker",
    "cli/demo.py": "the demo's own folder, made anew each time",
    "cli/log.py": "-o may name a device or a pipe, which no whole write may replace",
    "cli/export.py": "-o may name a device or a pipe, which no whole write may replace",
    "cli/run/command.py": "a pipe",
    "cli/skill.py": "a copy of the skill's folder",
    "sessions/document/folder.py": "cuts a torn end, after `storage/` kept it aside",
    "runtime/persistence/dead_letters.py": "the number in its own lock",
    "runtime/persistence/journal.py": "renames whole files when it rotates, and cuts a torn end",
    "logs/jsonl.py": "the head is mapped, so that a fact costs one sync",
    "testing/projects.py": "a temporary project of a test",
    "services/builds.py": "a scratch copy, and the log that comes back from it",
}
_OS = ("write", "pwrite", "replace", "rename", "link", "truncate", "ftruncate")
_COPIES = ("copyfile", "copy", "copy2", "copytree", "move")
_WHOLE = ("write_text", "write_bytes")
_OPENS = ("open", "fdopen")
_WRITERS = {*_OS, *_COPIES, *_WHOLE, *_OPENS}
_FLAGS = re.compile("O_WRONLY|O_RDWR|O_CREAT|O_APPEND")
_MODE = re.compile("'[rbt]*[wax+][rbt+]*'")


def writes(tree: ast.AST) -> Iterator[int]:
    """The lines whose call writes, renames or cuts a file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            last = getattr(node.func, "attr", "") or getattr(node.func, "id", "")
            if last not in _WRITERS:
                continue
            module = ast.unparse(node.func).rpartition(".")[0]
            given = [ast.unparse(a) for a in (*node.args, *(k.value for k in node.keywords))]
            if (
                last in _WHOLE
                or (module == "os" and (last in _OS or (last == "open" and any(map(_FLAGS.search, given)))))
                or (module == "shutil" and last in _COPIES)
                or (last in _OPENS and any(map(_MODE.fullmatch, given)))
            ):
                yield node.lineno


def test_files_are_written_by_one_room() -> None:
    """A new writer elsewhere is refused, and so is a reason that nothing needs any more."""
    house = read_house()
    found = {
        where: lines
        for path, tree in house.tree.items()
        if not (where := house.where(path).removeprefix("graphbus_core/")).startswith("storage/")
        and (lines := list(writes(tree)))
    }
    new = {where: lines for where, lines in found.items() if where not in ELSEWHERE}
    assert new == {}, "write it with graphbus_core/storage (atomic files, lines, signing), which has the fault suite"
    assert [where for where in ELSEWHERE if where not in found] == [], "take these lines out of ELSEWHERE"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p.write_text('x')", [1]),
        ("open(p, 'wb')", [1]),
        ("p.open(mode='a')", [1]),
        ("open(p)\nopen(p, 'rb')", []),
        ("os.open(p, os.O_RDONLY)", []),
        ("os.open(p, os.O_WRONLY | more)", [1]),
        ("os.replace(a, b)\ntext.replace(a, b)", [1]),
        ("shutil.copytree(a, b)", [1]),
    ],
)
def test_writes_are_found(text: str, expected: list[int]) -> None:
    """Each way to write into a file, and what only reads one."""
    assert list(writes(ast.parse(text))) == expected
