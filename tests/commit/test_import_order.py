"""An added import lands where a formatter would put it, and the rest of the file stays byte for byte."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from graphbus_core.analysis.scan import scan
from graphbus_core.editing.applicator import DiffApplicator
from graphbus_core.model.edit_outcome import Edited
from graphbus_core.model.operation import parse_operations

SOURCE = """\"\"\"Reads.\"\"\"

from __future__ import annotations

import os
import sys
from typing import Any

import httpx

from graphbus_core import GraphBusNode, schema_method

from . import other


class Reader(GraphBusNode):
    @schema_method({"text": str}, {"out": str})
    def read(self, text):
        return {"out": text}
"""


def added(root: Path, statement: str, source: str = SOURCE, op: str = "add_import") -> str:
    """The file with the import; without it for `remove_import`."""
    (root / "agents").mkdir(exist_ok=True)
    for name, text in (("__init__", ""), ("other", "x = 1\n"), ("another", ""), ("reader", source)):
        (root / "agents" / f"{name}.py").write_text(text, newline="")
    project = scan(str(root / "agents"))
    apply = DiffApplicator(
        lambda p: (root / p).read_bytes(), project.agents, list(project.files), allow_external_dependencies=True
    )
    found = apply.apply(parse_operations([{"op": op, "node": "Reader", "statement": statement}]))
    assert isinstance(found, Edited), found
    (data,) = found.after.values()
    return data.decode()


@pytest.mark.parametrize(
    ("statement", "above", "below"),
    [
        ("import json", "", "import os"),
        ("import re", "import os", "import sys"),
        ("import zlib", "import sys", "from typing import Any"),
        ("from collections.abc import Mapping", "import sys", "from typing import Any"),
        ("import attrs", "", "import httpx"),
        ("from . import another", "from . import other", ""),
    ],
)
def test_it_stands_beside_its_like(tmp_path: Path, statement: str, above: str, below: str) -> None:
    """By group, then plain before `from`, then by name."""
    lines = added(tmp_path, statement).splitlines()
    at = lines.index(statement)
    assert (lines[at - 1], lines[at + 1])[0 if above else 1] == (above or below)
    if above and below:
        assert lines[at + 1] == below
    assert "\n".join(lines[:at] + lines[at + 1 :]) + "\n" == SOURCE


def test_the_first_of_its_group_has_a_blank_line(tmp_path: Path) -> None:
    """Above the group that follows, or below the one before."""
    plain = SOURCE.replace("import os\nimport sys\nfrom typing import Any\n\n", "")
    assert "annotations\n\nimport json\n\nimport httpx\n" in added(tmp_path, "import json", plain)


def test_two_statements_on_a_line_stay_one(tmp_path: Path) -> None:
    """A file without order of its own is still read as Python reads it."""
    odd = SOURCE.replace("import os\nimport sys\n", "import os; import sys\n")
    assert "import json\nimport os; import sys\nfrom typing" in added(tmp_path, "import json", odd)


def test_a_module_of_the_project_comes_after_what_was_installed(tmp_path: Path) -> None:
    """In a group of its own."""
    assert "schema_method\n\nfrom agents.other import x\n\nfrom . import" in added(
        tmp_path, "from agents.other import x"
    )


def test_a_name_joins_the_line_of_its_module(tmp_path: Path) -> None:
    """No second line from one module."""
    assert "from typing import Any, Protocol\n" in added(tmp_path, "from typing import Protocol")


BODY = SOURCE[SOURCE.index("class Reader") :]
OWN = "from graphbus_core import GraphBusNode, schema_method\n"
ROUND = {
    "every group": SOURCE,
    "none of the standard library": SOURCE.replace("import os\nimport sys\nfrom typing import Any\n\n", ""),
    "one import": f"{OWN}\n\n{BODY}",
    "one import that touches the code": f"{OWN}X = 1\n\n\n{BODY}",
    "a docstring": f'"""D."""\n\n{OWN}\n\n{BODY}',
    "a docstring that touches": f'"""D."""\n{OWN}{BODY}',
    "a future": f'"""D."""\n\nfrom __future__ import annotations\n\nX = 1\n{OWN}\n\n{BODY}',
    "a comment": f"# why\n{OWN}\n\n{BODY}",
    "code first": f"X = 1\n\n{OWN}\n\n{BODY}",
    "an open first line": f"\nX = 1\n\n{OWN}\n\n{BODY}",
}
STATEMENTS = ["import json", "import attrs", "from typing import Protocol", "from agents.other import x"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["unix", "windows"])
@pytest.mark.parametrize("statement", [*STATEMENTS, "from . import another", "import os.path as p"])
@pytest.mark.parametrize("file", ROUND)
def test_added_and_taken_away_leaves_the_same_bytes(file: str, statement: str, newline: str, tmp_path: Path) -> None:
    """Also where the import opened a group of its own, with a blank line."""
    source = ROUND[file].replace("\n", newline)
    assert added(tmp_path, statement, added(tmp_path, statement, source), "remove_import") == source


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("import os\nimport sys\n\n", "import os\n\n"),  # not the last of its group
        ("import os\n\nimport sys\n\n", "import os\n\n"),
        ("import os; import sys\n\n", "import os\n\n"),
    ],
)
def test_only_the_last_of_a_group_takes_its_blank_line(before: str, after: str, tmp_path: Path) -> None:
    """Every other blank line stays."""
    rest = f"{OWN}\nX = os\n\n\n{BODY}"
    assert added(tmp_path, "import sys", before + rest, "remove_import") == after + rest


def written(root: Path, op: dict[str, object], source: str) -> str:
    """The file after one operation on the contract of `read`, formatted by nobody."""
    (root / "agents").mkdir()
    (root / "agents" / "reader.py").write_text(source)
    project = scan(str(root / "agents"))
    found = DiffApplicator(lambda p: (root / p).read_bytes(), project.agents, list(project.files)).apply(
        parse_operations([{"op": "add_field", "node": "Reader", "method": "read", "optional": True, **op}])
    )
    assert isinstance(found, Edited), found
    return found.after["agents/reader.py"].decode()


NODE = """class Reader(GraphBusNode):
    @schema_method({"text": str}, {"out": str})
    def read(self, text):
        return {"out": text}
"""
GRAPHBUS = "from graphbus_core import GraphBusNode, schema_method\n"
FILES = {
    "nothing of typing": f"import json\n\n{GRAPHBUS}\n\n{NODE}",
    "typing, sorted": f"import json\nfrom typing import Any\n\n{GRAPHBUS}\nKEPT: Any = json\n\n\n{NODE}",
    "typing, between": f"from typing import Protocol, cast\n\n{GRAPHBUS}\nKEPT = Protocol, cast\n\n\n{NODE}",
    "typing, in brackets": "from typing import (\n    Any,\n    Protocol,\n    cast,  # why\n)\n\n"
    f"{GRAPHBUS}\nKEPT = Any, Protocol, cast\n\n\n{NODE}",
    "a docstring alone": f'"""Reads."""\n\n{GRAPHBUS}\n\n{NODE}',
    "a future": f'"""Reads."""\n\nfrom __future__ import annotations\n\n{GRAPHBUS}\n\n{NODE}',
    "no block, a future": f'"""Reads."""\n\nfrom __future__ import annotations\n\nKEPT = 1\n\n{GRAPHBUS}\n\n{NODE}',
}
TYPES = {"a word of typing": "Literal['a', 'b']", "two modules": "dict[date, Any]", "plain": "int"}


@pytest.mark.skipif(find_spec("ruff") is None, reason="ruff is not installed")
@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("file", FILES)
def test_what_a_type_needs_is_imported_as_ruff_would(file: str, type_: str, tmp_path: Path) -> None:
    """One line a module, its names in order, and no finding of isort's rules."""
    made = written(tmp_path, {"side": "input", "field": "kind", "type": TYPES[type_]}, FILES[file])
    line = [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "I", "--stdin-filename", "reader.py", "-"]
    said = subprocess.run(line, input=made, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert said.returncode == 0, f"{made}\n{said.stdout}"
    assert made.count("from typing import") == 1
