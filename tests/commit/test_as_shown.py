"""What whoever writes a diff copies from the code that was shown is found there, whatever the rest of the diff does.

Each case was an honest answer to a prompt, and fell before anybody heard of it (`benchmarks/intents.py`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.analysis.scan import scan
from graphbus_core.editing.applicator import DiffApplicator
from graphbus_core.model.edit_outcome import Edited, Refused
from graphbus_core.model.operation import parse_operations

SOURCE = '''"""Two steps."""
from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Rows(TypedDict):
    rows: list[str]


class Reader(GraphBusNode):
    @schema_method(input_schema={"text": str}, output_schema=Rows)
    def read(self, text):
        rows = []
        for line in text.splitlines():
            key, comma, value = line.partition(",")
            rows.append(key)
        return {"rows": rows}


class Writer(GraphBusNode):
    @depends_on("Reader.read")
    @schema_method(input_schema=Rows, output_schema={"out": str})
    def write(self, rows):
        return {"out": " ".join(rows)}
'''
READ, WRITE = {"node": "Reader", "method": "read"}, {"node": "Writer", "method": "write"}


def outcome(root: Path, *diff: dict[str, object]) -> Edited | Refused:
    """The diff carried out on SOURCE."""
    (root / "agents").mkdir()
    (root / "agents" / "steps.py").write_text(SOURCE)
    project = scan(str(root / "agents"))
    paths = [str(p) for p in project.files]
    found = DiffApplicator(lambda p: (project.root / p).read_bytes(), project.agents, paths).apply(
        parse_operations(diff)
    )
    assert isinstance(found, Edited | Refused)
    return found


def text(found: Edited | Refused) -> str:
    """The one file that came out."""
    assert isinstance(found, Edited), found
    (data,) = found.after.values()
    compile(data, "steps.py", "exec")
    return data.decode()


def test_an_edit_finds_its_anchor_behind_a_field_that_changed_it(tmp_path: Path) -> None:
    """Adding the field puts its key into the very literal that the edit speaks of."""
    count = {"op": "add_field", **READ, "side": "output", "field": "count", "type": "int", "optional": True}
    edit = {
        "op": "edit",
        **READ,
        "old": 'return {"rows": rows}',
        "new": 'return {"rows": rows, "count": len(rows)}',
    }
    assert '{"rows": rows, "count": len(rows)}' in text(outcome(tmp_path, {**count, "default": "0"}, edit))


def test_a_parameter_is_there_before_an_edit_speaks_of_it(tmp_path: Path) -> None:
    """Whichever of the two stands first in the diff."""
    add = {"op": "add_field", **WRITE, "side": "input", "field": "end", "type": "str", "optional": True}
    edit = {"op": "edit", **WRITE, "old": '" ".join(rows)', "new": '" ".join(rows) + end'}
    came = text(outcome(tmp_path, edit, {**add, "default": "''"}))
    assert "def write(self, rows, end=''):" in came
    assert '" ".join(rows) + end' in came


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rows.append(key)", "if key:\n    rows.append(key)"),
        ("    rows.append(key)", "    if key:\n        rows.append(key)"),
        ("rows.append(key)", "if key:\n                rows.append(key)"),
        ("            rows.append(key)", "            if key:\n                rows.append(key)"),
    ],
)
def test_the_anchors_own_indentation_is_the_right_one(tmp_path: Path, old: str, new: str) -> None:
    """However deep the lines were copied, and however deep those are that replace them."""
    came = text(outcome(tmp_path, {"op": "edit", **READ, "old": old, "new": new}))
    assert "            if key:\n                rows.append(key)\n        return" in came


def test_several_lines_are_found_without_their_common_indentation(tmp_path: Path) -> None:
    """As they stand in a prompt that shows them from the margin."""
    old = 'key, comma, value = line.partition(",")\nrows.append(key)'
    came = text(outcome(tmp_path, {"op": "edit", **READ, "old": old, "new": "rows.append(line)\nrows.append('')"}))
    assert "            rows.append(line)\n            rows.append('')\n        return" in came


def test_the_lines_of_a_text_are_not_moved(tmp_path: Path) -> None:
    """A text over several lines is what it is: indented, it would be another."""
    edit = {"op": "edit", **READ, "old": "rows.append(key)", "new": 'rows.append("""a\n  b""")'}
    assert '            rows.append("""a\n  b""")\n' in text(outcome(tmp_path, edit))


def test_one_class_is_the_contract_of_both_ends(tmp_path: Path) -> None:
    """The first operation writes the field into the class; the second must still give its method the parameter."""
    skipped = {"op": "add_field", "field": "skipped", "type": "int", "optional": True, "default": "0"}
    came = text(outcome(tmp_path, {**skipped, **READ, "side": "output"}, {**skipped, **WRITE, "side": "input"}))
    assert came.count("skipped: NotRequired[int]") == 1
    assert "def write(self, rows, skipped=0):" in came


def test_what_stands_nowhere_is_refused_in_the_first_words(tmp_path: Path) -> None:
    """Trying another order must not change what the proposer hears."""
    found = outcome(
        tmp_path,
        {"op": "add_field", **READ, "side": "output", "field": "n", "type": "int", "optional": True, "default": "0"},
        {"op": "edit", **READ, "old": "return nothing", "new": "return 1"},
    )
    assert isinstance(found, Refused)
    assert "does not stand in the body" in found.reason
