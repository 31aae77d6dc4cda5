"""What descriptions say of numbers that the other side reads was agreed as well: other words are asked about."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.cli.main import main
from graphbus_core.services.contract_sharing.number_words import collect_words, find_changes_of_words, list_speaking
from tests.interface.test_readings import TESTS, prepare
from tests.interface.test_sharing import SENDS, git, service, table, verify
from tests.interface.test_verdicts import push

__all__ = ["service"]

WORDS = {"": "One order.", "id": "Counts in tens.", "state": "How far it is.", "note": "From the customer."}


def describe(words: dict[str, str]) -> dict[str, Any]:
    """The producer's schema with words of all, and of its fields."""
    fields = {
        name: {**field, **({"description": words[name]} if name in words else {})}
        for name, field in SENDS["properties"].items()  # type: ignore[attr-defined]
    }
    return {**SENDS, "properties": fields, **({"description": words[""]} if "" in words else {})}


def say(shop: Path, words: dict[str, str], branch: str) -> None:
    """Let the shop show these words, on a branch."""
    (shop / "order.json").write_text(json.dumps(describe(words)))
    push(shop, branch)


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize(
    ("words", "named"),
    [
        ({**WORDS, "id": "Counts in twelves."}, 'id was "Counts in tens." and is "Counts in twelves."'),
        ({name: text for name, text in WORDS.items() if name != "id"}, '"Counts in tens." and is taken away'),
        ({**WORDS, "": "One order of many."}, "of the payload was"),
        ({**WORDS, "id": " counts\nin  TENS."}, ""),
        ({**WORDS, "state": "Paid, or not.", "note": "Of the shop."}, ""),
    ],
)
def test_other_words_beside_a_number_are_asked_about_on_both_sides(
    words: dict[str, str],
    named: str,
    is_known: bool,
    service: str,
    clones: tuple[Path, Path],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With a payload; what is read is known by recorded answers, or else by what the consumer takes."""
    shop, billing = clones
    say(shop, WORDS, "main")
    if is_known:
        prepare(clones, service)
    say(shop, words, "change")
    code, said = verify(shop, capsys, "--publish", "change")
    assert (code, named in said, "Is that meant?" in said, "payload   " in said) == (
        (3, True, True, True) if named else (0, True, False, False)
    ), said
    code, said = verify(billing, capsys, "--against", service)
    assert (code, named in said, "payload   " in said) == ((3, True, True) if named else (0, True, False)), said


def test_words_where_there_were_none_and_words_of_before_are_no_change(
    clones: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor is what another commit has changed already."""
    shop, _ = clones
    say(shop, WORDS, "change")
    assert verify(shop, capsys)[0] == 0
    git(shop, "push", "-q", "origin", "HEAD:main")
    say(shop, {**WORDS, "id": "Counts in twelves."}, "main")
    assert verify(shop, capsys)[0] == 3
    say(shop, {**WORDS, "id": "Counts in twelves."}, "other")
    assert verify(shop, capsys)[0] == 0


def test_a_commit_or_the_other_side_says_that_words_are_meant(
    service: str, clones: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """A rule that signs what fits by its types cannot read them; the consumer itself can."""
    shop, billing = clones
    say(shop, WORDS, "main")
    words = {**WORDS, "id": "Counts in twelves."}
    say(shop, words, "change")
    assert verify(shop, capsys)[0] == 3
    git(shop, "commit", "-q", "--allow-empty", "-m", "twelves\n\nMeant: orders")
    code, said = verify(shop, capsys, "--publish", "change")
    assert (code, "is meant: commit" in said) == (0, True), said
    assert verify(billing, capsys, "--against", service)[0] == 0
    git(shop, "reset", "-q", "--hard", "HEAD^")
    pin = ["contracts", "pin", "contracts#orders", "--as", "producer", "--project", str(shop)]
    assert table(shop).table("producer", describe(words)).data["version"] == 2
    assert main(pin) == 0
    push(shop, "change")
    assert verify(shop, capsys)[0] == 3
    assert table(shop).allow("consumer", False).ok
    assert table(shop).table("producer", describe({**words, "note": "Any."})).ok
    pair = table(shop).look().data["pair"]
    assert [table(shop).accept(side, pair).ok for side in ("producer", "consumer")] == [True, True]
    assert main(pin) == 0
    say(shop, {**words, "note": "Any."}, "change")
    assert verify(shop, capsys)[0] == 0


def test_the_docstring_of_a_class_has_such_words(clones: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    """As it was, it is read in a process of its own: a module is imported once in each."""
    shop, _ = clones
    text = (
        "from typing import Literal, NotRequired, TypedDict\n\n\nclass Order(TypedDict):\n"
        '    """Its number counts in tens."""\n\n    id: int\n    state: Literal["new", "paid"]\n'
        "    note: NotRequired[str]\n"
    )
    (shop / "sent_with_words.py").write_text(text)
    lock = shop / "contracts.lock"
    lock.write_text(lock.read_text().replace("order.json", "sent_with_words:Order"))
    assert table(shop).table("producer", {**SENDS, "properties": {**SENDS["properties"], "id": {"type": "integer"}}}).ok  # type: ignore[dict-item]
    assert main(["contracts", "pin", "contracts#orders", "--as", "producer", "--project", str(shop)]) == 0
    push(shop)
    (shop / "sent_with_words.py").write_text(text.replace("tens", "twelves"))
    push(shop, "change")
    code, said = verify(shop, capsys)
    assert (code, 'was "Its number counts in tens." and is "Its number counts in twelves."' in said) == (3, True), said


@pytest.mark.parametrize(
    ("row", "place"),
    [
        ('"state": "paid", "unit": "dozen"}', "unit"),
        ('"state": "paid", "unit": {"name": "dozen"}}', "unit"),
        ('"state": "paid"}, {"id": 3, "state": "new", "unit": 12}', "unit"),
        ('"state": "paid"}', ""),
    ],
)
def test_a_key_that_is_sent_in_new_rows_alone_is_told_on_both_sides(
    row: str, place: str, service: str, clones: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """It may say how to read what is beside it, which the other side reads without it."""
    shop, billing = prepare(clones, service)
    code = (shop / "orders.py").read_text()
    code = (
        code.replace("return {", "order = {") + '    return order | ({"unit": row["unit"]} if "unit" in row else {})\n'
    )
    (shop / "orders.py").write_text(code)
    record = shop / "tests" / "record.py"
    record.write_text(record.read_text().replace('"state": "paid"}', row) + "# with units\n")
    push(shop, "change")
    line = f"billing does not take {place}, and no payload of the tests as they were has it (now: 1)"
    ended, said = verify(shop, capsys, *TESTS, "--publish", "change")
    assert (ended == 0 or not place, line in said) == (True, bool(place)), said
    ended, said = verify(billing, capsys, "--against", service)
    assert (ended, line in said) == (0, bool(place)), said


def test_words_speak_of_the_numbers_that_they_hold() -> None:
    """Through references, lists, maps and choices; not of those of another object."""
    line = {"type": "object", "properties": {"sku": {"type": "string"}, "weights": {"$ref": "#/$defs/weights"}}}
    schema = {
        "description": "all",
        "properties": {
            "lines": {"description": "lines", "items": {**line, "description": "one"}},
            "total": {"description": "sum", "anyOf": [{"const": 0}, {"type": ["number", "null"]}]},
            "rates": {"description": "by name", "additionalProperties": {"type": "number"}},
            "name": {"description": "who", "type": "string"},
            "next": {"$ref": "#"},
        },
        "$defs": {"weights": {"description": "grams", "type": "array", "items": {"type": "integer"}}},
    }
    before = collect_words(schema)
    now = collect_words(json.loads(json.dumps(schema).replace('"description": "', '"description": "not ')))
    assert {
        (change.place, change.numbers)
        for change in find_changes_of_words(before, now, lambda place: "next" not in place)
    } == {
        ((), (("rates", "{}"), ("total",))),
        (("lines",), (("lines", "[]", "weights", "[]"),)),
        (("lines", "[]"), (("lines", "[]", "weights", "[]"),)),
        (("lines", "[]", "weights"), (("lines", "[]", "weights", "[]"),)),
        (("total",), (("total",),)),
        (("rates",), (("rates", "{}"),)),
    }
    assert list_speaking(("id",)) == [("id",), ()]


def test_schemas_that_lead_to_each_other_come_to_an_end() -> None:
    """Outermost places first, so those that payloads have are among them."""
    names = [f"part{number}" for number in range(30)]
    fields = {name: {"$ref": f"#/$defs/{name}"} for name in names} | {"count": {"type": "integer"}}
    schema = {"properties": fields, "$defs": {name: {"properties": fields} for name in names}}
    numbers = collect_words(schema).numbers
    assert {("count",), ("part0", "count"), ("part29", "count")} <= numbers
