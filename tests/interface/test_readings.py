"""What types do not tell: payloads at the edges of text and numbers, and payloads that are read as something else."""

from __future__ import annotations

import ast
import json
from collections import OrderedDict
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import pytest

from graphbus_core.cli.main import main
from graphbus_core.contracts.example_values import Landmarks, find_landmarks, is_portable
from graphbus_core.contracts.examples import generate_examples
from graphbus_core.contracts.parsing.contract import Contract
from graphbus_core.services.contract_sharing.conversions import Conversion
from graphbus_core.services.contract_sharing.neighbour_runner import describe_value, make_again, write_literal
from graphbus_core.services.contract_sharing.sensitivity import Readings, list_differences
from graphbus_core.services.contract_sharing.source_landmarks import find_source_landmarks, read_landmarks
from tests.interface.test_sharing import Service, commit, git, service, verify
from tests.interface.test_verdicts import push

__all__ = ["service"]

TEXT = {"type": "object", "properties": {"sku": {"type": "string", "maxLength": 20}}, "required": ["sku"]}
BUILD = 'def build(row: dict) -> dict:\n    return {"id": row["id"], "state": row["state"]}\n'
RECORD = """import json
from orders import build

ROWS = [{"id": 1, "state": "new"}, {"id": 2, "state": "paid"}]
with open("records.jsonl", "w") as out:
    out.writelines(json.dumps(build(row)) + "\\n" for row in ROWS)
"""
TESTS = ("--tests", "python tests/record.py")


class Kind(Enum):
    """A state of a row, which has no literal."""

    NEW = "new"


@dataclass(frozen=True)
class Price:
    """A row as an object."""

    cents: int
    kinds: list[Kind]


class Pair(NamedTuple):
    """A row of a cursor."""

    name: str
    more: tuple[int, ...]


def list_texts(landmarks: Landmarks = Landmarks()) -> list[str]:
    """The texts of 20 characters at most that examples hold."""
    return [payload["sku"] for payload in generate_examples(Contract(TEXT), most=1_000, landmarks=landmarks)]


def test_texts_have_every_width_at_their_bound() -> None:
    """As many characters as may be, of one to four bytes each: who counts bytes or code units refuses some."""
    assert {character * 20 for character in ("é", "€", "😀")} <= set(list_texts(find_landmarks(TEXT)))


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        (r"if (/^\d{4}-\d{2}-\d{2}/.test(value)) return new Date(value);", "0000-00-00"),
        ('PATTERN = re.compile(r"^[A-C]{3}$")', "AAA"),
        ("sku.startsWith('X-')", "X-1"),
        ("if (Buffer.byteLength(sku) > 13)", "é" * 14),
    ],
)
def test_what_a_source_names_is_tried(source: str, wanted: str) -> None:
    """Literals, patterns and lengths of the code that is sent the examples, in any language."""
    assert wanted in list_texts(read_landmarks(source))
    assert wanted not in list_texts()


def test_a_constant_that_is_worked_out_is_a_landmark() -> None:
    """`64 * 1024` and `1 << 20`; a comment and what a template puts in are none."""
    found = read_landmarks("if (n > 64 * 1024 || n > 1 << 20) throw `above ${n} of 77`; // 99")
    assert {65_536, 1_048_576} <= found.numbers
    assert not {77, 99} & found.numbers


def test_only_code_that_is_changed_is_read(tmp_path: Path) -> None:
    """Documents, data and what was there before name nothing; of a file with much in it, the changed lines do."""
    (tmp_path / "code.ts").write_text("const a = 'old';\nconst b = 'new';\n")
    (tmp_path / "much.ts").write_text("\n".join(f"f({n});" for n in range(1_000, 1_200)))
    (tmp_path / "notes.md").write_text("7777")
    found = find_source_landmarks(
        tmp_path,
        {name: frozenset({2}) for name in ("code.ts", "much.ts", "notes.md", "gone.ts")},
    )
    assert (found.texts, found.numbers) == (frozenset({"new"}), frozenset({1_001}))


def test_long_bodies_are_tried_where_the_code_names_their_length() -> None:
    """Beyond what servers read unasked, an example is that long only where the code says that it looks."""
    schema: Any = {"type": "object", "properties": {"note": {"type": "string"}}}
    longest = [
        max(len(json.dumps(payload)) for payload in generate_examples(Contract(schema), landmarks=named))
        for named in (Landmarks(), read_landmarks("200 * 1024"))
    ]
    assert longest[0] < 100_000 < 200 * 1024 < longest[1]


@pytest.mark.parametrize(
    ("payload", "expected"), [({"a": ["x", 1, True, 1e300]}, True), (["😀"], False), ([2**53], False)]
)
def test_what_readers_of_json_count_differently(payload: Any, expected: bool) -> None:
    """RFC 7493: integers that a double holds, and characters of one code unit."""
    assert is_portable(payload) == expected


@pytest.mark.parametrize(
    ("before", "now", "changed"),
    [
        ({"id": 1, "l": [{"q": 1, "s": "a"}]}, {"id": 2, "l": [{"q": 1, "s": "a"}]}, None),
        ({"l": [{"q": 1, "s": "a"}]}, {"l": [{"q": 1, "s": "B"}]}, None),
        ({"l": [{"q": 1, "s": "a"}]}, {"l": [{"q": 3, "s": "a"}]}, "l[].q was 1 and is 3"),
        ({"l": [{"q": 1}, {"q": 2}]}, {"l": [{"q": 2}, {"q": 1}]}, None),
        ({"l": [{"q": 1}]}, {"l": [{"q": 1}, {"q": 1}]}, 'l was [{"q": 1}] and is [{"q": 1}, {"q": 1}]'),
    ],
)
def test_a_place_is_read_where_answers_depend_on_it(before: Any, now: Any, changed: str | None) -> None:
    """Two payloads that differ in one place alone, and have different answers, show it; no order and no name here."""
    lists = [[("a", 1)], [("b", 1)], [("a", 2)], [("a", 1), ("b", 2)], [("b", 2), ("a", 1)]]
    payloads = [{"id": number, "l": [{"s": s, "q": q} for s, q in some]} for some in lists for number in (1, 2)]
    readings = Readings([(payload, sum(line["q"] for line in payload["l"])) for payload in payloads])
    assert readings.find_change(before, now) == changed


def test_what_is_answered_is_foretold_where_it_is_plain() -> None:
    """A sum over lines and an echo, found from their answers: lines told in other words have the same answer."""

    def answer(payload: Any) -> Any:
        return {"order": payload["id"], "total": sum(line["q"] * line["p"] for line in payload["l"]), "kind": "invoice"}

    def build(*lines: tuple[int, int]) -> Any:
        return {"id": 7, "l": [{"q": q, "p": p} for q, p in lines]}

    payloads = [build((n, n + 3), (2, n)) | {"id": n} for n in range(30)] + [build((n, 5)) for n in range(30)]
    readings = Readings([(payload, answer(payload)) for payload in payloads])
    assert readings.find_change(build((2, 5), (3, 5), (1, 0)), build((5, 5))) is None
    assert readings.find_change(build((2, 5)), build((2, 10))) == "l[].p was 5 and is 10"
    curved = Readings([(payload, answer(payload) | {"total": answer(payload)["total"] ** 2}) for payload in payloads])
    assert curved.find_change(build((2, 5), (1, 0)), build((2, 5))) is not None


def test_another_order_is_a_difference_of_its_own() -> None:
    """Items that were only moved are no other items."""
    assert [place for place, _, _ in list_differences([1, {"a": 2}], [{"a": 2}, 1])] == [("[order]",)]


def test_a_number_that_the_other_side_rounds_is_found() -> None:
    """Where neighbours beyond 2**53 have one answer, and small ones have their own."""
    numbers = (1, 2, 2**53, 2**53 + 1)
    rounding, exact = (Readings([({"id": n}, {"is": read(n)}) for n in numbers]) for read in (float, int))
    assert (rounding.find_rounded({"id": 2**60 + 1}), exact.find_rounded({"id": 2**60 + 1})) == (
        ("id", 2**60 + 1),
        None,
    )
    assert rounding.find_rounded({"id": 3}) is None


def prepare(clones: tuple[Path, Path], service: str) -> tuple[Path, Path]:
    """A shop with code and tests on its main branch, and a billing that kept its answers."""
    shop, billing = clones
    (shop / "orders.py").write_text(BUILD)
    record = shop / "tests" / "record.py"
    record.parent.mkdir(exist_ok=True)
    record.write_text(record.read_text() if record.exists() else RECORD)
    push(shop)
    push(shop)
    assert main(["contracts", "record-answers", "orders", "--against", service, "--project", str(billing)]) == 0
    push(billing)
    return shop, billing


@pytest.mark.parametrize(
    ("old", "new", "is_read"),
    [
        ('"id": row["id"]', '"id": row["id"] * 2', True),
        ('"state": row["state"]', '"state": "paid"', False),
        ('"id": row["id"]', '"id": int(row["id"])', False),
    ],
)
def test_what_is_read_as_something_else_is_asked_about_on_both_sides(
    old: str, new: str, is_read: bool, service: str, clones: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """The same tests, with the code as it was and as it is: where the answer depends on what changed, it is not known
    whether that is meant, and the payload is shown to both. A test whose row was edited is no such change."""
    shop, billing = prepare(clones, service)
    (shop / "orders.py").write_text(BUILD.replace(old, new))
    (shop / "tests" / "record.py").write_text(RECORD.replace('"id": 2', '"id": 7'))
    push(shop, "change")
    code, said = verify(shop, capsys, *TESTS, "--publish", "change")
    assert (code, "Is that meant?" in said, "payload   " in said) == (
        (3, True, True) if is_read else (0, False, False)
    ), said
    code, said = verify(billing, capsys, "--against", service)
    assert (code, "Is that meant?" in said) == ((3, True) if is_read else (0, False)), said


def test_a_commit_says_that_it_is_meant(
    service: str, clones: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Its message has the contract's name in a trailer: a note on the producer's side, and nothing on the other."""
    shop, billing = prepare(clones, service)
    (shop / "orders.py").write_text(BUILD.replace('row["id"]', '2 * row["id"]'))
    push(shop, "change")
    git(shop, "commit", "-q", "--allow-empty", "-m", "other\n\nMeant: invoices")
    assert verify(shop, capsys, *TESTS)[0] == 3
    git(shop, "commit", "-q", "--allow-empty", "-m", "numbers are even\n\nMeant: orders")
    code, said = verify(shop, capsys, *TESTS, "--publish", "change")
    assert (code, "is meant: commit" in said) == (0, True), said
    assert verify(billing, capsys, "--against", service)[0] == 0


def test_what_is_no_json_is_red_on_both_sides(
    service: str, clones: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Python writes Infinity, and reads it; nobody else does, whatever the field means to them."""
    shop, billing = prepare(clones, service)
    (shop / "records.jsonl").write_text('{"id": 1, "state": "new", "limit": Infinity}\n')
    push(shop, "change")
    code, said = verify(shop, capsys, "--publish", "change")
    assert (code, "Infinity is not JSON" in said) == (1, True), said
    code, said = verify(billing, capsys)
    assert (code, "It breaks you here: Infinity is not JSON" in said) == (1, True), said


def test_what_is_counted_differently_may_be_refused_as_it_was(
    service: str,
    clones: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A service that never took it is named, not red, once its answers are recorded; before that it is red."""
    billing = clones[1]
    monkeypatch.setattr(Service, "refused", str(2**53 + 1))
    assert verify(billing, capsys, "--against", service)[0] == 1
    assert main(["contracts", "record-answers", "orders", "--against", service, "--project", str(billing)]) == 0
    commit(billing)
    code, said = verify(billing, capsys, "--against", service)
    assert (code, "as it was when its answers were recorded" in said) == (0, True), said
    monkeypatch.setattr(Service, "refused", '"id": 999,')
    assert verify(billing, capsys, "--against", service)[0] == 1


@pytest.mark.parametrize(
    ("change", "code", "named"),
    [
        ('row["id"] + row.get("fee", 0)', 0, "'fee', which neither the code before read"),
        ('row["id"] + row.get("fee", 0) + (row["id"] == 1)', 3, "Is that meant?"),
        ('row["id"] - row.get("fee", 0) - 3 * (row["id"] > 40 and "fee" in row)', 0, "'fee', which"),
        ('row["id"] if row.get("fee") else row["id"] + 1', 3, "Is that meant?"),
        ('row["id"] / (2 if row.get("fee") else 1)', 1, "must be integer"),
        ('row["id"] if row.get("fee", 0) < 50 else -1', 0, "shows each of"),
    ],
)
def test_what_goes_with_a_new_key_is_what_a_change_is_for(
    change: str, code: int, named: str, service: str, clones: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """The code as it was read nothing of it, and its tests had no such key, so it is no other reading of what was sent
    before: a note with the payload, which the other side looks at. What is refused with it is not passed; and what
    differs without it is asked about. The tests say what it holds."""
    shop, billing = prepare(clones, service)
    (shop / "orders.py").write_text(BUILD.replace('row["id"]', change))
    (shop / "tests" / "record.py").write_text(RECORD.replace('"state": "paid"}', '"state": "paid", "fee": 40}'))
    push(shop, "change")
    ended, said = verify(shop, capsys, *TESTS, "--publish", "change")
    assert (ended, named in said) == (3 if code else 0, True), said
    ended, said = verify(billing, capsys, "--against", service)
    assert (ended, code in (1, 3) or ("new. It does not break you" in said) == named.startswith("'fee'")) == (
        code,
        True,
    )


@pytest.mark.parametrize(
    ("change", "tests", "code", "named"),
    [
        (
            'int(row["id"] * 10)',
            ('__import__("decimal").Decimal("0.1")', '__import__("decimal").Decimal("0.2")'),
            0,
            "compared as 10 * it",
        ),
        ('row["id"] // 10', ("10", "20"), 0, "the tests write 'row.id' otherwise than before"),
        ('row["id"] // 10 + (row["id"] == 20)', ("10", "20"), 3, "Is that meant?"),
        ('row["id"] // 10 if row["state"] != "paid" or row["id"] > 10 else 7', ("10", "20"), 3, "Is that meant?"),
        ('row["id"] / 10', ("10", "20"), 1, "must be integer"),
        ('row["id"] // 10', ("1, 'more': 7", "20"), 3, "Is that meant?"),
        ('round(row["id"] * 100)', ("0.01", "0.02"), 0, "compared as 100 * it"),
        ('int(row["id"] * 100)', ("0.01", "0.02"), 3, "Is that meant?"),
        ('int(row["id"])', ("'1'", "'2'"), 0, "compared as the same number"),
    ],
)
def test_what_the_tests_write_otherwise_has_no_call_of_before(
    change: str,
    tests: tuple[str, str],
    code: int,
    named: str,
    service: str,
    clones: tuple[Path, Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Ids come ten times as large, and the same is sent of them: 10 is no other reading of what 10 was. Only where all
    that the tests sent is still sent, for what they write otherwise, and where the code as it was would not do."""
    shop, billing = prepare(clones, service)
    record = shop / "tests" / "record.py"
    (shop / "orders.py").write_text(BUILD.replace('row["id"]', change))
    record.write_text(RECORD.replace('"id": 1', f'"id": {tests[0]}').replace('"id": 2', f'"id": {tests[1]}'))
    push(shop, "change")
    ended, said = verify(shop, capsys, *TESTS, "--publish", "change")
    assert (ended, named in said) == (3 if code else 0, True), said
    assert verify(billing, capsys, "--against", service)[0] == code


@pytest.mark.parametrize(
    ("change", "rows", "code", "named"),
    [
        ('row["id"] // 10', '[{"id": 20, "state": "paid"}]', 3, "Add a row with another value"),
        ('row["id"] // 10', '[{"id": 20, "state": "paid"}, {"id": 50, "state": "new"}]', 0, "compared as 1/10 * it"),
        (
            'row["id"] // 10 if row["id"] < 99 else 9',
            '[{"id": 20, "state": "paid"}, {"id": 50, "state": "new"}]',
            3,
            "?",
        ),
    ],
)
def test_one_row_that_is_written_otherwise_shows_too_little(
    change: str,
    rows: str,
    code: int,
    named: str,
    service: str,
    clones: tuple[Path, Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It is asked about, as any other difference, until a row is added: what the code before sends the same for stands
    for it. Then other values are compared, too."""
    shop, billing = clones
    record = shop / "tests" / "record.py"
    old = RECORD[RECORD.index("[{") : RECORD.index("}]") + 2]
    record.parent.mkdir()
    record.write_text(RECORD.replace(old, '[{"id": 2, "state": "paid"}]'))
    prepare((shop, billing), service)
    (shop / "orders.py").write_text(BUILD.replace('row["id"]', change))
    record.write_text(RECORD.replace(old, rows))
    push(shop, "change")
    ended, said = verify(shop, capsys, *TESTS, "--publish", "change")
    assert (ended, named in said) == (code, True), said
    assert verify(billing, capsys, "--against", service)[0] == code


@pytest.mark.parametrize(
    ("state", "rows", "code", "named"),
    [
        ('{"n": "new", "p": "paid"}[row["state"]]', ("n", "p"), 0, "only what they show was compared"),
        (
            '{"n": "new", "p": "paid", "x": "paid"}[row["state"]]',
            ("n", "p"),
            3,
            "no test shows what the change sends",
        ),
        ('row["state"].lower()', ("NEW", "Paid"), 0, "compared as it in small letters"),
        ('row["state"].replace("NEW", "new").replace("Paid", "paid")', ("NEW", "Paid"), 3, "and now state"),
        ('row["state"].strip()', (" new", "paid "), 0, "compared as it without blanks around it"),
        ('row["state"].removeprefix("is ")', ("is new", "is paid"), 0, "compared as it without 'is ' before it"),
        ('{" new": "new", "paid ": "paid"}[row["state"]]', (" new", "paid "), 0, "without blanks around it"),
    ],
)
def test_texts_that_are_written_otherwise_are_shown_or_made(
    state: str,
    rows: tuple[str, str],
    code: int,
    named: str,
    service: str,
    clones: tuple[Path, Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Where two show how they are made of each other, other texts have a call of before as well. Where they do not, a
    call with another text is compared with nothing, and shows nothing."""
    shop, _ = prepare(clones, service)
    record = shop / "tests" / "record.py"
    (shop / "orders.py").write_text(BUILD.replace('row["state"]', state))
    record.write_text(RECORD.replace('"new"', f'"{rows[0]}"').replace('"paid"', f'"{rows[1]}"'))
    push(shop, "change")
    ended, said = verify(shop, capsys, *TESTS)
    assert (ended, named in said) == (code, True), said


@pytest.mark.parametrize(
    ("pairs", "value", "before"),
    [
        ({9.95: 995, 1.5: 150}, 1.15, {115}),
        ({9.95: 995, 1.5: 150}, 0.005, {0, 1}),
        ({9.95: 995}, 1.15, set()),
        ({9.95: 995, 1.15: 114, 2.0: 200}, 1.15, {114}),
        ({9.95: 995, 1.15: 114, 2.0: 200}, 0.29, set()),
        ({149.6: 150, 995: 995, 0: 0}, 7.2, {7, 8}),
        ({50: 10.0, 68: 20.0}, 59, {15.0}),
        ({"995": "9.95", "150": "1.50"}, "7", {"0.07"}),
        ({1: "1", 7: "7"}, 20, {"20"}),
        ({1: 5, 2: 5}, 3, set()),
        ({"P": "placed", "D": "paid"}, "C", set()),
        ({10: 1, 20: 2}, None, {None}),
        ({"ADA": "ada", "Bob": "bob", None: None}, "ÉVA", {"éva"}),
        ({"ADA": "ada", "": ""}, "EVA", set()),
        ({"ADA": "ada", "Bob": "Bob"}, "EVA", set()),
        ({"ADA": "ada", "Bob": 7}, "EVA", set()),
        ({" Ada": "Ada", "Bob ": "Bob"}, "\tEva", {"Eva", "\tEva"}),
        ({"A-1": "1", "A-22": "22"}, "A-3", {"3"}),
        ({"A-1": "1", "A-22": "22"}, "B-3", set()),
        ({"x": "x/", "y": "y/"}, "z", {"z/"}),
    ],
)
def test_what_stood_there_is_learnt_exactly(pairs: dict[Any, Any], value: Any, before: set[Any]) -> None:
    """In fractions of what is written: through two pairs or more that differ, and never what does not fit them all."""
    found = Conversion({repr(now): old for now, old in pairs.items()}).list_before(value)
    assert {repr(one) for one in found} == {repr(one) for one in before}


@pytest.mark.parametrize(
    ("value", "described"),
    [
        (Decimal("9.95"), "Decimal('9.95')"),
        (date(2026, 11, 28), "date("),
        (UUID(int=7), "UUID("),
        (Kind.NEW, "Kind('new')"),
        (Price(995, [Kind.NEW]), "Price(cents=995, kinds=[Kind('new')])"),
        (Pair("a", (1,)), "Pair('a', (1,))"),
        ({"price": [Decimal("1.50"), None], 2: {1.5, b"x"}}, "{'price': [Decimal('1.50'), None]"),
    ],
)
def test_a_call_is_noted_in_literals_and_made_again(value: Any, described: str) -> None:
    """Also what has no literal: a row of a database holds decimals and dates."""
    noted = ast.literal_eval(repr(write_literal(value, iter(range(100)))))
    assert (make_again(noted), type(make_again(noted))) == (value, type(value))
    assert describe_value(noted).startswith(described)


@pytest.mark.parametrize("value", [lambda: 0, (n for n in [1]), {"many": [0] * 200}, OrderedDict(a=1)])
def test_what_cannot_be_made_again_is_not_noted(value: object) -> None:
    """Functions, what is used up by reading, and too much."""
    with pytest.raises((TypeError, ValueError, AttributeError)):
        ast.literal_eval(repr(make_again(write_literal(value, iter(range(100))))))


def test_other_numbers_have_as_many_decimals() -> None:
    """Among them are those that `int(price * 100)` makes one less of, whatever the tests' own ones are."""
    drawn = list(Conversion({"9.95": 995, "1.5": 150}).draw())
    assert {0.01, 0.07, 0.29, 1.15} <= set(drawn)
    assert sum(int(price * 100) != round(price * 100) for price in drawn) > 5
    assert all(round(price, 2) == price for price in drawn)
