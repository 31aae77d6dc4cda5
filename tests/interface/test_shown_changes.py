"""What a branch changes must make a recorded payload another one: else no test shows it, and it does not pass."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from graphbus_core.services.contract_sharing.changed_lines import find_changes
from graphbus_core.services.contract_sharing.mutants import find_parts
from graphbus_core.services.contract_sharing.neighbour_runner import parse_call, write_call
from tests.interface.test_sharing import commit, git, repositories, verify

__all__ = ["repositories"]

CODE = '''"""Orders."""

from __future__ import annotations

import logging
from shop.types import State

STATES = {"n": "new", "p": "paid"}


def build(row: dict) -> dict:
    """One order."""
    state: State = STATES[row["state"]]
    order = {"id": row["id"], "state": state}
    if row.get("note"):
        order["note"] = row["note"]
    return order
'''
RECORD = """import json
from shop.orders import build

ROWS = [{"id": 1, "state": "n", "note": "x"}, {"id": 2, "state": "p"}]
with open("records.jsonl", "w") as out:
    out.writelines(json.dumps(build(row)) + "\\n" for row in ROWS)
"""
TESTS = ("--tests", "python record.py")


@pytest.fixture
def shop(repositories: tuple[Path, Path]) -> Path:
    """The shop with code and what records, on its main branch."""
    shop = repositories[0]
    (shop / "shop").mkdir()
    (shop / "shop" / "orders.py").write_text(CODE)
    (shop / "shop" / "types.py").write_text('from typing import Literal\n\nState = Literal["new", "paid"]\n')
    (shop / "record.py").write_text(RECORD)
    commit(shop)
    commit(shop)
    return shop


def change(shop: Path, old: str, new: str) -> None:
    """Edit the code, once."""
    file = shop / "shop" / "orders.py"
    assert file.read_text().count(old) == 1
    file.write_text(file.read_text().replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('"id": row["id"]', '"id": row["old"] if "old" in row else row["id"]', "'old': "),
        ('"id": row["id"]', '"id": row.get("old") or row["id"]', "'old': "),
        ('"id": row["id"]', '"id": row.get("old", row["id"])', "'old': "),
        ('"p": "paid"}', '"p": "paid", "o": "open"}', 'got "open"'),
        (
            '    if row.get("note")',
            '    if row.get("old"):\n        order["id"] = "x"\n    if row.get("note")',
            'got "x"',
        ),
        ('    if row.get("note")', '    order.update(row.get("more", {}))\n    if row.get("note")', "'more': "),
        (
            "    return order",
            '    if not order["id"]:\n        return {}\n    return order',
            "id: is missing",
        ),
        (
            "    return order",
            "    return {name: value for name, value in order.items() if value}",
            "'id': 0",
        ),
        ('STATES[row["state"]]', 'STATES[row["state"].removesuffix("!")]', '"!"'),
    ],
)
def test_what_no_recorded_payload_shows_is_not_known(
    old: str, new: str, named: str, shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Within one line, too: an arm that never runs, an operand or a literal that makes no difference."""
    change(shop, old, new)
    code, said = verify(shop, capsys, *TESTS)
    assert (code, "no test shows what the change sends" in said, named in said) == (3, True, True), said
    commit(shop, "branch")
    code, said = verify(shop, capsys, *TESTS)
    assert (code, named in said) == (3, True), said


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('"id": row["id"]', '"id": int(row["id"])', "or a call beside its own"),
        ('"id": row["id"]', '"id": row["id"] * 2', "shows each of"),
        ('"id": row["id"]', '"id": row["id"] * (2 if "x" in (row.get("note") or "") else 3)', "shows each of"),
        ("One order", "One order.", "no Python code was changed"),
        ("    return order", '    logging.info("built %s", order["id"])\n    return order', "It is a call beside"),
        (
            "    return order",
            '    if not row:\n        raise ValueError("nothing")\n    return order',
            "with what stood",
        ),
        (
            "    return order",
            '    if row.get("gift"):\n        order["note"] = "Gift"\n    return order',
            "or a call beside its own",
        ),
        ('order["note"] = row["note"]', 'order["note"] = row["note"].upper()', "shows each of"),
    ],
)
def test_what_the_tests_show_or_nobody_takes_is_green(
    old: str, new: str, named: str, shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Hints, errors that send nothing, logs, and fields that the consumer does not take need no test."""
    change(shop, old, new)
    code, said = verify(shop, capsys, *TESTS)
    assert (code, named in said) == (0, True), said


@pytest.mark.parametrize(
    ("value", "after", "fields"),
    [
        ('{"lines": [{"vat": row["vat"]} for row in rows]}', "return order", {"vat"}),
        ('{"lines": [{"sku": 1, "tax": {"vat": rows["vat"]}}]}', "return order", {"vat"}),
        ('{"lines": [{"vat": row["vat"]} for row in rows]}', 'return order["lines"][0]["vat"]', set()),
        ('{"lines": count([{"vat": row["vat"]} for row in rows])}', "return order", {"lines"}),
        ('{"lines": [{"vat": row["vat"]} for row in rows]} | rows', "return order", set()),
    ],
)
def test_a_name_deep_in_what_is_written_down_is_known(value: str, after: str, fields: set[str]) -> None:
    """Below names and in lists, as long as no call is handed it and nobody reads it back."""
    source = f"def build(rows):\n    order = {value}\n    {after}\n".encode()
    found = [part.fields for part in find_parts(source, frozenset({2})) if part.text == '"vat"']
    assert found[-1] == fields, found


def test_a_type_that_annotations_alone_read_needs_no_test(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is declared: the proof holds it to the contract. Code that reads it makes it a part of what is sent."""
    (shop / "shop" / "types.py").write_text('from typing import Literal\n\nState = Literal["new", "paid", "void"]\n')
    code, said = verify(shop, capsys, *TESTS)
    assert (code, "no Python code was changed" in said) == (0, True), said
    (shop / "shop" / "more.py").write_text("from shop.types import State\n\nprint(State)\n")
    commit(shop)
    code, said = verify(shop, capsys, *TESTS)
    assert (code, '"void": with another thing there' in said) == (3, True), said


def test_a_change_back_that_shows_nothing_is_named(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each part of the new line matters, and what stood there before would send the same: said, and green."""
    change(shop, 'STATES[row["state"]]', 'STATES[row["state"].lower()]')
    commit(shop)
    change(shop, 'STATES[row["state"].lower()]', 'STATES[row["state"]]')
    commit(shop)
    code, said = verify(shop, capsys, *TESTS)
    assert (code, "with what stood there before" in said) == (0, True), said


@pytest.mark.parametrize(
    ("record", "named"),
    [
        ("raise SystemExit('no database')", "fails in the sandbox, on a copy without network, home or keys"),
        ("print('nothing')", "it records no payload in records.jsonl, one a line: nothing."),
        ("open('records.jsonl', 'w').write('no json')", "it records no payload in records.jsonl"),
        ("open('records.jsonl', 'w').write('{\"id\": 1}\\n')", "does not load shop/orders.py"),
        (RECORD.replace('"w"', '"a"'), "shows each of"),
        (
            RECORD + "open('x', 'a').write('y')\nif open('x').read() > 'yyy': open('records.jsonl', 'w')\n",
            "begin from",
        ),
    ],
)
def test_tests_that_cannot_show_anything_are_said(
    record: str, named: str, shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """They fail, they record nothing, they run other code, or they write what was there before as well."""
    (shop / "record.py").write_text(record)
    commit(shop)
    commit(shop)
    change(shop, '"id": row["id"]', '"id": row["id"] * 2')
    assert named in verify(shop, capsys, *TESTS)[1]


def test_payloads_that_vary_are_held_by_what_stays(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A date in a payload is another one in each run; the rest still says what a change does."""
    change(shop, "    return order", '    import time\n    order["at"] = time.time_ns()\n    return order')
    commit(shop)
    change(shop, '"id": row["id"]', '"id": row.get("old", row["id"])')
    code, said = verify(shop, capsys, *TESTS)
    assert (code, "'old': " in said) == (3, True), said


def test_a_branch_is_held_against_the_branch_that_counts(tmp_path: Path, shop: Path) -> None:
    """In a shallow checkout as in a whole one, which stays whole; what a branch did not change is not asked for."""
    git(tmp_path, "clone", "-q", "--bare", str(shop), "host.git")
    git(tmp_path, "clone", "-q", "host.git", "work")
    git(tmp_path / "work", "checkout", "-q", "-b", "feature")
    change(tmp_path / "work", '"id": row["id"]', '"id": int(row["id"])')
    commit(tmp_path / "work")
    commit(tmp_path / "work")
    git(tmp_path / "work", "push", "-q", "origin", "feature")
    git(tmp_path, "clone", "-q", "--depth=1", "--branch=feature", f"file://{tmp_path / 'host.git'}", "ci")
    for folder in ("work", "ci"):
        changes = find_changes(tmp_path / folder)
        assert changes is not None
        assert {name: [(hunk.line, hunk.count) for hunk in hunks] for name, hunks in changes.items()} == {
            "shop/orders.py": [(14, 1)]
        }
    assert not (tmp_path / "work" / ".git" / "shallow").exists()


def test_lines_of_a_diff_that_look_like_its_headers_are_lines(tmp_path: Path) -> None:
    """What is taken out may begin with dashes."""
    git(tmp_path, "init", "-q")
    (tmp_path / "a.sql").write_text("-- a\n++ b\nselect 1;\n")
    commit(tmp_path)
    (tmp_path / "a.sql").write_text("select 1;\n")
    commit(tmp_path)
    changes = find_changes(tmp_path)
    assert changes is not None
    assert [(hunk.line, hunk.count, hunk.before) for hunk in changes["a.sql"]] == [(1, 0, b"-- a\n++ b\n")]


def test_a_mutant_is_python_that_can_be_read() -> None:
    """Whatever stands there: each text in place of its part gives a file that is parsed."""
    source = CODE + (
        "def more(row, sep=', ', *, limit=-3):\n"
        "    text = f\"{row['a']!r:>{10}}\" 'b' \"ü\"\n"
        "    try:\n        pass\n    except* KeyError if row else ValueError:\n        text += b'x'.decode() or None\n"
        "    match row:\n        case {'a': 1} if row and text:\n            return (lambda: 1 if row else 2)()\n"
        "    while row or text:\n        yield [x for x in row if x if not x and\n            (y := x)]\n"
        "    return {**row, 'k': {1: True}}\n"
    )
    data = source.encode()
    parts = find_parts(data, frozenset(range(1, 100)))
    assert len(parts) > 40
    for part in parts:
        for text in part.replacements:
            compile(data[: part.start] + text.encode() + data[part.end :], "x.py", "exec")


def test_what_is_changed_and_no_test_ran_is_not_known_by_coverage(
    repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Of any language: LCOV by lines, and by parts of a line as c8 writes them. What was there before is a note."""
    shop, billing = repositories
    for folder in repositories:
        (folder / "order.ts").write_text("one\n")
        commit(folder)
        (folder / "order.ts").write_text("one\ntwo ? 2 : 3\n")
        commit(folder)
    for report, code in (
        ("SF:order.ts\nDA:1,0\nDA:2,1\nBRDA:2,0,0,1\n", 0),
        ("SF:order.ts\nDA:1,1\nDA:2,1\nBRDA:2,0,0,1\nBRDA:2,1,0,0\n", 3),
        (f"SF:{shop / 'order.ts'}\nDA:1,1\nDA:2,0\n", 3),
    ):
        (shop / "coverage.lcov").write_text(report)
        ended, said = verify(shop, capsys, "--show", "coverage.lcov")
        assert (ended, "all that is changed in" in said) == (code, code == 3), said
        assert "no test ran all" in said
    (billing / "coverage.lcov").write_text("SF:order.ts\nDA:1,1\nDA:2,0\n")
    code, said = verify(billing, capsys, "--show", "coverage.lcov")
    assert (code, "order.ts, line 2: what they take is not known" in said) == (3, True), said


def test_a_producer_without_either_is_told(repositories: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing shows then that a change is shown; and the command is not for who takes."""
    code, said = verify(repositories[0], capsys)
    assert (code, "a change of code that no test reaches would not be seen" in said) == (0, True), said
    code, said = verify(repositories[1], capsys, *TESTS)
    assert (code, "--tests is for who sends" in said) == (0, True), said


@pytest.mark.parametrize(
    ("now", "code"),
    [('if "number" in row:', 3), ('if row.get("number") is not None:', 0), ('if bool(row.get("number")):', 0)],
)
def test_a_condition_in_other_words_is_called_with_what_no_test_has(
    now: str, code: int, shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No recorded payload shows the change, as none would of the same in other words. The function as it was, and as it
    is, is called with values beside those of the tests: what is refused now, and was not, is shown."""
    file = shop / "shop" / "orders.py"
    was = 'if row.get("number"):'
    file.write_text(
        CODE.replace("    return order", f'    {was}\n        order["id"] = row["number"]\n    return order')
    )
    record = shop / "record.py"
    record.write_text(record.read_text().replace('{"id": 2,', '{"id": 2, "number": 5,'))
    commit(shop)
    commit(shop)
    change(shop, was, now)
    found, said = verify(shop, capsys, *TESTS)
    assert (found, "'number': None" in said, '"id": null' in said) == (code, code == 3, code == 3), said


STATUS = """
class Status(StrEnum):
    PLACED = "placed"

class Order(OF):
    status: Status

def build(row) -> Order:
    order: Order = {"status": row["status"]}
    return order
"""


@pytest.mark.parametrize(
    ("source", "is_declared"),
    [
        (STATUS.replace("OF", "TypedDict"), True),
        (STATUS.replace("OF", "TypedDict") + "\nSTATUSES = list(Status)\n", False),
        # What reads its annotations as it runs makes a value of the class.
        (STATUS.replace("OF", "BaseModel").replace("return order", "return Order(**order).model_dump()"), False),
        (STATUS.replace("OF", "TypedDict") + "\nREADER = TypeAdapter(Order)\n", False),
        (STATUS.replace("OF", "TypedDict") + "\n@validate_call\ndef send(status: Status): ...\n", False),
        (STATUS.replace("OF", "TypedDict").replace("class Status", "@unique\nclass Status"), False),
    ],
)
def test_a_class_that_annotations_alone_name_sends_nothing(source: str, is_declared: bool) -> None:
    """An enumeration behind a hint is no code of what is sent; the hint itself is judged by the contract."""
    data = source.encode()
    texts = [part.text for part in find_parts(data, frozenset(range(1, 40)))]
    assert ('"placed"' not in texts) == is_declared
    assert '"status"' in texts


def test_a_call_that_was_written_here_is_read_as_if_it_were_parsed() -> None:
    """Its parts are its own, as those of a text are: a function that alters one alters no other."""
    shared = [1, -2.5, {"info": b"x", "nothing": (None, True)}]
    text = write_call(("orders.py", "build", {"one": shared, "other": shared}))
    call = parse_call(text)
    assert (repr(call), call) == (text, ast.literal_eval(text))
    assert call[2]["one"] is not call[2]["other"]
    assert parse_call(write_call(("orders.py", "build", {"one": float("inf")}))) is None
