"""An added import lands where a formatter would put it, and the rest of the file stays byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.build.confine.outcome import Applied
from graphbus_core.build.edit.applicator import DiffApplicator
from graphbus_core.build.scan import scan
from graphbus_core.model.operation import operations

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


def added(root: Path, statement: str, source: str = SOURCE) -> str:
    """The file with the import."""
    (root / "agents").mkdir()
    for name, text in (("__init__", ""), ("other", "x = 1\n"), ("another", ""), ("reader", source)):
        (root / "agents" / f"{name}.py").write_text(text)
    project = scan(str(root / "agents"))
    apply = DiffApplicator(
        lambda p: (root / p).read_bytes(), project.agents, list(project.files), allow_external_dependencies=True
    )
    found = apply.apply(operations([{"op": "add_import", "node": "Reader", "statement": statement}]))
    assert isinstance(found, Applied), found
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
        ("from agents.other import x", "import httpx", ""),
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
    compile(added(tmp_path, "import json", odd), "reader.py", "exec")
