"""Untouched bytes stay as they are, however a file is written."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings, strategies as st

from graphbus_core.commit.reversal import revert_text
from graphbus_core.editing.applicator import DiffApplicator
from graphbus_core.editing.source import Edit, Source, splice
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.edit_outcome import Edited, Refused
from graphbus_core.model.operation import (
    AddField,
    AddImport,
    AddMethod,
    Operation,
    RemoveField,
    RenameField,
    ReplaceBody,
)
from graphbus_core.model.prompt import SystemPrompt
from graphbus_core.model.schema import Schema, SchemaMethod

AT = {"node": "Node", "method": "go"}


def _declare(field: str) -> AgentDefinition:
    """The node of the file, whose one method takes a field of that name."""
    method = SchemaMethod("go", Schema({"properties": {field: {}}}))
    return AgentDefinition("Node", "a", "Node", "a.py", "", SystemPrompt(""), (method,))


AGENT = _declare("items")
NODE = """# ä ö ü
class Node(GraphBusNode):  # é
    @schema_method(input_schema={"items": list}, output_schema={"größe": int})
    def go(self, items):
        '''ß'''; x = "é" + str(items)
        return {"größe": len(items)}
# end é"""


def apply(raw: bytes, op: Operation, agent: AgentDefinition = AGENT) -> bytes:
    outcome = DiffApplicator({"a.py": raw}.get, [agent], ["a.py"]).apply([op])
    assert isinstance(outcome, Edited), outcome
    return outcome.after["a.py"]


FORMS = {
    "LF": NODE.encode(),
    "CRLF": NODE.replace("\n", "\r\n").encode(),
    "CR": NODE.replace("\n", "\r").encode(),
    "mixed": NODE.replace("\n", "\r\n", 3).encode(),
    "BOM": b"\xef\xbb\xbf" + NODE.encode(),
    "tabs": NODE.replace("    ", "\t").encode(),
    "form feed": ("\f\n" + NODE.replace("class", "\fclass", 1)).encode(),
    "latin-1": ("# -*- coding: latin-1 -*-\n" + NODE).encode("latin-1"),
    "cp1252": ("#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n" + NODE).encode("cp1252"),
    "conditional": ("if 1:\n" + "\n".join(f"  {line}" for line in NODE.split("\n"))).encode(),
    "nested": ("class Outer:\n" + "\n".join(f"    {line}" for line in NODE.split("\n"))).encode(),
    "no line end": NODE.rsplit("\n", 1)[0].encode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_file_keeps_its_bytes(form: str) -> None:
    """An operation and its inverse, and the exact text of what was spliced in."""
    raw = FORMS[form]
    encoding = {"latin-1": "latin-1", "cp1252": "cp1252"}.get(form, "utf-8")
    newline = b"\r\n" if form == "CRLF" else b"\r" if form == "CR" else b"\n"
    added = apply(raw, AddField(**AT, side="output", field="n", type="int", default="1"))
    key, item = ', "n": int'.encode(encoding), ', "n": 1'.encode(encoding)
    assert added == raw.replace(b": int}", b": int" + key + b"}").replace(b"len(items)}", b"len(items)" + item + b"}")
    assert apply(added, RemoveField(**AT, side="output", field="n")) == raw
    renamed = apply(raw, RenameField(**AT, side="input", field="items", to="rows"))
    assert renamed == raw.replace(b"items", b"rows")
    back = RenameField(**AT, side="input", field="rows", to="items")
    assert apply(renamed, back, _declare("rows")) == raw
    body = apply(raw, ReplaceBody(**AT, body='y = """\n1"""\nreturn {}'))
    tab = b"\t" if form == "tabs" else b"    "
    deep = {"conditional": b"  " + tab * 2, "nested": tab * 3}.get(form, tab * 2)
    assert newline.join([deep + b'y = """', b'1"""', deep + b"return {}"]).strip() in body
    method = apply(raw, AddMethod(node="Node", method="more", source="def more(self):\n    return 1"))
    assert len(method) - len(raw) > 20
    assert method[: raw.index(b"# end")].startswith(raw[: raw.index(b"len(items)}") + 11]) if b"# end" in raw else True


@given(
    st.binary(max_size=60),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 5), st.binary(max_size=4)), max_size=5),
)
def test_a_splice_is_what_slicing_says(data: bytes, wanted: list[tuple[int, int, bytes]]) -> None:
    """Edits that do not overlap, in any order."""
    edits, at = [], 0
    for skip, length, new in wanted:
        start = at + skip % 10
        end = start + length
        if end > len(data):
            break
        edits.append(Edit(start, end, new))
        at = end + 1
    expected = data
    for edit in reversed(edits):
        expected = expected[: edit.start] + edit.new + expected[edit.end :]
    assert splice(data, reversed(edits)) == expected


words = st.sampled_from(["a", "b", ", ", '"x": int', "\n", "    ", "return", "{", "}"])


@settings(max_examples=150)
@given(
    st.lists(words, max_size=25),
    st.lists(words, max_size=4),
    st.integers(0, 25),
    st.lists(words, max_size=4),
    st.integers(0, 30),
)
def test_what_is_reversed_is_exactly_the_change_or_nothing(
    base: list[str], first: list[str], at: int, second: list[str], there: int
) -> None:
    """With nothing else changed, the old text; with something added far away, the old text with that."""
    before = "".join(base).encode()
    after = "".join([*base[:at], *first, *base[at:]]).encode()
    assert revert_text(before, after, after) == before
    tail = b"\n# " + "".join(second).replace("\n", "").encode() + b"#%d" % there
    assert revert_text(before, after, after + tail) in (before + tail, None)


@pytest.mark.parametrize(
    "raw",
    [b"x = (\n", b"\x00", b"# coding: nonsense\nx = 1\n", b"\xff\xfe", b"class Node: pass\nclass Node: pass\n", b""],
)
def test_a_file_that_cannot_be_edited_is_refused_with_its_name(raw: bytes) -> None:
    """Never an exception."""
    op = AddField(**AT, side="output", field="n", type="int")
    outcome = DiffApplicator({"a.py": raw}.get, [AGENT], ["a.py"]).apply([op])
    assert isinstance(outcome, Refused)
    assert "a.py" in str(outcome)


@pytest.mark.parametrize(
    ("now", "left"),
    [
        ("import Any, Brought, TypedDict", "import Any, TypedDict"),
        ("import Annotated, Any, Brought, TypedDict", "import Annotated, Any, TypedDict"),
        ("import (\n    Any,\n    Brought,\n)", "import (\n    Any,\n)"),
        ("import (\n    Any,  # a\n    Brought,  # b\n    Text,\n)", "import (\n    Any,  # a\n    Text,\n)"),
        ("import (\n    Any, Brought)", "import (\n    Any)"),
        ("import Any, \\\n    Brought", "import Any"),
        ("import Any, Brought  # noqa: F401", "import Any  # noqa: F401"),
        ("import Any\nfrom typing import Brought", "import Any"),
    ],
)
def test_an_import_that_a_change_brought_goes_with_it_however_it_is_written_by_now(now: str, left: str) -> None:
    """A formatter wrapped it, another name joined its line; only what nobody uses goes."""
    before = "# ä\nfrom typing import Any\n\nx: Any\n".encode()
    after = before.replace(b"import Any", b"import Any, Brought").replace(b"x: Any", b"x: Brought[Any]")
    stands = after.replace(b"import Any, Brought", now.encode())
    assert revert_text(before, after, stands) == before.replace(b"import Any", left.encode())
    for use in (b"y: Brought\n", b"y: 'list[Brought]'\n", b"__all__ = ['Brought']\n", b"z = cast('Brought', x)\n"):
        assert revert_text(before, after, stands + use) == stands.replace(b"x: Brought[Any]", b"x: Any") + use


def test_an_import_goes_below_a_coding_line_and_above_everything_else() -> None:
    """On the second line a coding line counts as well."""
    raw = "# first\n# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1") + b"class Node(GraphBusNode):\n    pass\n"
    after = apply(raw, AddImport(node="Node", statement="import os"))
    assert after == raw.replace(b"-*-\n", b"-*-\nimport os\n")


@pytest.mark.parametrize(
    "head", ['"""Doc."""\n', "from __future__ import annotations\n", '"""Doc."""\nfrom __future__ import annotations\n']
)
def test_an_import_stays_below_a_docstring_and_future_imports_where_others_come_later(head: str) -> None:
    """Above them, the docstring is none any more and the file does not compile."""
    raw = f"{head}x = 1\nimport sys\nclass Node(GraphBusNode):\n    pass\n".encode()
    after = apply(raw, AddImport(node="Node", statement="import os"))
    assert after == head.encode() + b"import os\n" + raw[len(head) :]


def test_a_parser_whose_count_was_spoiled_is_asked_again(monkeypatch):
    """Another thread can make `ast.parse` say SystemError of a sound text (gh-106905)."""
    said = [SystemError("AST constructor recursion depth mismatch (before=90, after=65)")] * 3
    real = ast.parse
    monkeypatch.setattr(ast, "parse", lambda *a, **k: (_ for _ in ()).throw(said.pop()) if said else real(*a, **k))
    assert isinstance(Source("a.py", b"x = 1\n").tree, ast.Module)
    assert not said
