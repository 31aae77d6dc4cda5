"""Records of commits: which are believed, whose they are, and what taking one back makes of a text that went on."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from graphbus_core.commit import reversal
from graphbus_core.commit.history import (
    CommitHistory,
    describe_undoable,
    find_record_file,
    find_undo_target,
    list_records,
    read_record,
)
from graphbus_core.config import BuildConfig
from graphbus_core.errors import UsageError
from graphbus_core.model.operation import (
    AddField,
    AddImport,
    EditText,
    Operation,
    RemoveField,
    RemoveImport,
    RenameField,
    RenameMethod,
    RetypeField,
    SetOptional,
)


def kept(state: Path, pid: str, number: int, **other: Any) -> dict[str, Any]:
    """A record of a commit below an output folder."""
    text = base64.b64encode(b"x").decode()
    record = {
        "proposal_id": pid,
        "number": number,
        "root": "../p",
        "root_package": "p",
        "diff": [],
        "undone": False,
        "files": {"a.py": {"before": text, "after": text}},
        "contracts": {"before": {}, "after": {}},
        **other,
    }
    (state / "undo").mkdir(parents=True, exist_ok=True)
    find_record_file(state, pid, str(record["root"])).write_text(json.dumps(record))
    return record


def test_what_can_be_taken_back_is_told_newest_first(tmp_path: Path) -> None:
    """Without what was taken back already; a damaged record hides no other."""
    assert "none to take back" in describe_undoable(tmp_path)
    for number in range(1, 24):
        kept(tmp_path, f"p-{number}", number, undone=number == 22)
    (tmp_path / "undo" / "p-0.json").write_text("{")
    told = describe_undoable(tmp_path)
    assert told.startswith("Those that can be taken back: p-23, p-21, p-20")
    assert told.endswith("p-3 and 2 more.")
    assert [r["proposal_id"] for _, r in list_records(tmp_path, "p-2")] == ["p-2"]
    with pytest.raises(UsageError, match="is damaged"):
        list_records(tmp_path, "p-0")


def test_two_proposals_of_one_id_are_both_kept(tmp_path: Path) -> None:
    """Ids are short, and come from the start of a build. The later record replaced the earlier."""
    one, other = (AddField(node="A", method="run", side="input", field=name, type="int") for name in "xy")
    said = {"target": str(tmp_path), "diff": [one.to_dict()]}
    kept(tmp_path, "p-1", 1, **said)
    project: Any = SimpleNamespace(root=tmp_path.parent / "p")
    history = CommitHistory(tmp_path, BuildConfig("p"), lambda: project)
    assert history.choose_record_file("p-1").name == history.choose_record_file("p-1", [one]).name == "p-1.json"
    beside = history.choose_record_file("p-1", [other])
    assert beside.name == "p-1.2.json"
    beside.write_text(json.dumps(kept(tmp_path, "p-2", 2) | {"proposal_id": "p-1", **said, "diff": [other.to_dict()]}))
    assert [r["diff"] for _, r in list_records(tmp_path, "p-1")] == [[other.to_dict()], [one.to_dict()]]
    assert (history.find_record("p-1") or {})["diff"] == [other.to_dict()]  # what is taken back first
    assert find_undo_target(str(tmp_path), "p-1")["root_package"] == str(tmp_path)
    beside.write_text(beside.read_text().replace('"undone": false', '"undone": true'))
    assert (history.find_record("p-1") or {})["diff"] == [one.to_dict()]
    assert history.choose_record_file("p-1").name == "p-1.json"


@pytest.mark.parametrize(
    "wrong",
    [
        {"files": {}},
        {"files": {"a.py": {"before": "?", "after": ""}}},
        {"number": "1"},
        {"diff": {}},
        {"root": 1},
        {"include": "a"},
        {"whole_project": 1},
        {"contracts": {"before": {"a|b": {}}, "after": {}}},
        {"contracts": {"before": [], "after": {}}},
    ],
)
def test_a_record_of_another_form_is_not_believed(wrong: dict[str, Any], tmp_path: Path) -> None:
    """Whichever part of it."""
    kept(tmp_path, "p-1", 1)
    file = tmp_path / "undo" / "p-1.json"
    assert read_record(file) is not None
    file.write_text(json.dumps(json.loads(file.read_text()) | wrong))
    with pytest.raises(UsageError, match="is damaged"):
        read_record(file)


def test_only_later_commits_to_the_same_file_stand_in_the_way(tmp_path: Path) -> None:
    """Of the same project, and not taken back."""
    state = tmp_path / "s"
    first = kept(state, "p-2", 2)
    other = {"files": {"b.py": first["files"]["a.py"]}}
    for pid, number, more in (("p-1", 1, {}), ("p-3", 3, {"undone": True}), ("p-4", 4, other), ("p-5", 5, {})):
        kept(state, pid, number, **more)
    kept(state, "p-6", 6, root="../q")
    history = CommitHistory.__new__(CommitHistory)
    history.state = state
    history.project = lambda: type("P", (), {"root": tmp_path / "p"})()  # type: ignore[assignment, return-value]
    assert history.describe_later_commits(first, "a.py") == "; take back p-5 first"
    assert history.describe_later_commits(first, "none.py") == ""


def test_undo_names_the_project_of_the_commit(tmp_path: Path) -> None:
    """By the folder that is given, where two share an output folder; nothing for an id that could be a path."""
    state = tmp_path / "s"
    for name in "pq":
        (tmp_path / name / "agents").mkdir(parents=True)
        kept(state, "p-1", 1, root=f"../{name}", target=f"../{name}/agents", whole_project=f"../{name}")
    with pytest.raises(UsageError, match="2 projects that share"):
        find_undo_target(str(state), "p-1")
    for given in (tmp_path / "q", tmp_path / "q" / "agents"):
        found = find_undo_target(str(state), "p-1", str(given))
        assert found["root_package"] == str(tmp_path / "q" / "agents")
        assert found["whole_project"] == str(tmp_path / "q")
    for pid, root, why in (
        ("p-1", str(tmp_path), "not a commit to the project at"),
        ("../undo/p-1", None, "not among the commits"),
        ("p-1/..", None, "not among the commits"),
    ):
        with pytest.raises(UsageError, match=why):
            find_undo_target(str(state), pid, root)


def test_a_commit_is_known_to_have_happened_by_its_files(tmp_path: Path) -> None:
    """The same id, the same operations, the same bytes, and not taken back; else it is done again, or refused."""
    state, about = tmp_path / "s", {"diff": []}
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "a.py").write_bytes(b"x")
    history = CommitHistory.__new__(CommitHistory)
    history.state = state
    history.project = lambda: type("P", (), {"root": tmp_path / "p"})()  # type: ignore[assignment, return-value]
    kept(state, "p-1", 1, receipt={"status": "committed"})
    assert history.find_receipt("p-1", about) == {"status": "committed"}
    other = [{"op": "add_import", "node": "N", "statement": "import re"}]
    for pid, asked in (("p-2", about), ("../p-1", about), ("p-1", {"diff": other}), ("p-1", {}), ("p-1", {"diff": 3})):
        assert history.find_receipt(pid, asked) is None
    (tmp_path / "p" / "a.py").write_bytes(b"y")
    assert history.find_receipt("p-1", about) is None
    (tmp_path / "p" / "a.py").write_bytes(b"x")
    kept(state, "p-1", 1, receipt={"status": "committed"}, undone=True)
    assert history.find_receipt("p-1", about) is None


# ---- what a commit wrote, taken out of the text of today


@pytest.mark.parametrize(
    ("before", "after_it", "now", "back"),
    [
        ("a\nb\nc\n", "a\nB\nc\n", "a\nB\nc\n", "a\nb\nc\n"),
        ("a\nb\nc\n", "a\nB\nc\n", "x\na\nB\nc\nd\n", "x\na\nb\nc\nd\n"),
        ("a\nb\nc\n", "a\nB\nc\n", "a\nC\nc\n", None),
        ("a\nb\nc\n", "a\nB\nc\n", "a\nc\n", None),
        ("a\nc\n", "a\nb\nc\n", "a\nb\nc\nd\n", "a\nc\nd\n"),
        ("a\nb\nc\n", "a\nc\n", "a\nc\nd\n", "a\nb\nc\nd\n"),
        ("a = f(x)\n", "a = f(y)\n", "a = g(y)\n", "a = g(x)\n"),
        ("x = 1\n", "import re\nx = 1\n", "import re\nx = 1\ny = 2\n", "x = 1\ny = 2\n"),
        ("x = 1\n", "import re\nx = 1\n", "import re\nx = 1\ny = re.S\n", "import re\nx = 1\ny = re.S\n"),
        ("x = 1\n", "import re\nx = 1\n", "import os\nimport re\nx = os\n", "import os\nx = os\n"),
        (
            "x = 1\n",
            "import os\nimport re\nx = 1\n",
            "import os\nimport re\nx = 1\ny = re.S\n",
            "import re\nx = 1\ny = re.S\n",
        ),
        (
            "from a import b\nx = b\n",
            "from a import b, c\nx = b\n",
            "from a import b, c, d\nx = b\ny = d\n",
            "from a import b, d\nx = b\ny = d\n",
        ),
    ],
)
def test_what_was_written_since_stays(before: str, after_it: str, now: str, back: str | None) -> None:
    """None where the commit's own text no longer stands; an import stays where something has come to use it."""
    found = reversal.revert_text(before.encode(), after_it.encode(), now.encode())
    assert found == (None if back is None else back.encode())


def test_operations_are_taken_back_last_first() -> None:
    """Each by its opposite, with the type that stood before."""
    at: dict[str, Any] = {"node": "N", "method": "m", "side": "output"}
    was = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}, "required": ["a"]}
    diff: list[Operation] = [
        AddField(**at, field="n", type="int"),
        RemoveField(**at, field="a"),
        RetypeField(**at, field="b", type="str"),
        SetOptional(**at, field="a", optional=True),
        RenameField(**at, field="c.d", to="e"),
        AddImport(node="N", statement="import re"),
        EditText(node="N", method="m", old="x", new="y"),
        RenameMethod(node="N", method="m", to="k"),
    ]
    assert reversal.invert_diff(diff, {("N", "m", "output"): was}) == [
        RenameMethod(node="N", method="k", to="m"),
        EditText(node="N", method="m", old="y", new="x"),
        RemoveImport(node="N", statement="import re"),
        RenameField(**at, field="c.e", to="d"),
        SetOptional(**at, field="a", optional=False),
        RetypeField(**at, field="b", type="int"),
        AddField(**at, field="a", type="str", optional=False),
        RemoveField(**at, field="n"),
    ]


@pytest.mark.parametrize(
    ("head", "behind", "rest"),
    [
        ('"""Doc."""\n', "\nfrom shop import x\n", '"""Doc."""\nfrom shop import x\n'),
        ('"""Doc."""\n\n', "\nfrom shop import x\n", '"""Doc."""\n\nfrom shop import x\n'),
        ("import os\n", "\nfrom shop import x\n", "import os\n\nfrom shop import x\n"),  # a line of a group that stays
        ('"""Doc."""\n', "\nx = 1\n", '"""Doc."""\n\nx = 1\n'),
        ('"""Doc."""\n', "", '"""Doc."""\n'),
    ],
)
def test_a_group_of_imports_that_goes_takes_its_blank_line_along(head: str, behind: str, rest: str) -> None:
    """One commit brought the group, another a second name of it; the one was undone, then the other."""
    before, after, now = (
        f"{head}from typing import {names}\n{behind}".encode() for names in ("A", "A, NotRequired", "NotRequired")
    )
    assert reversal.revert_text(before, after, now) == rest.encode()
