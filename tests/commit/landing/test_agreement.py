"""What both sides do the merged tree does; and what new code meets where its own test does not come to it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from graphbus_core.commit.landing.replay.makers import list_makers
from graphbus_core.commit.landing.replay.variants import MARK, write_variants
from tests.commit.landing.test_land import PLUGINS, Shop


def land_pair(folder: Path, base: dict[str, str], ours: dict[str, str], theirs: dict[str, str]) -> tuple[bool, str]:
    """Whether a branch lands on another, and why not."""
    shop = Shop(folder)
    shop.write(
        {**base, "pytest.ini": f"[pytest]\npythonpath = .\naddopts = {' '.join(f'-p no:{n}' for n in PLUGINS)}\n"}
    )
    shop.commit("more")
    shop.branch("theirs", {**theirs})
    shop.write({**ours})
    shop.commit("ours")
    landing = shop.land("theirs", verify="auto", dry_run=True)[0]
    return landing.is_good, landing.why


GUARD = "    if seats <= 0:\n        raise ValueError('no seats')\n"
DESK = (
    f"from hall import reserve\n\n\ndef book(hall, seats):\n    seats = int(seats)\n{GUARD}    reserve(hall, seats)\n"
)
HALL = f"def reserve(hall, seats):\n{GUARD}    hall['taken'] += seats\n"
HALL_TEST = """from desk import book


def test_book():
    hall = {'taken': 0}
    book(hall, '4')
    assert hall['taken'] == 4
"""


@pytest.mark.parametrize(
    ("theirs", "told"),
    [
        ({"hall.py": HALL.replace(GUARD, "")}, "on each side it ends with ValueError, and with both it passes"),
        ({"hall.py": HALL.replace("+= seats", "= hall['taken'] + seats")}, ""),
    ],
)
def test_of_two_guards_one_must_stand(tmp_path: Path, theirs: dict[str, str], told: str) -> None:
    """Each side removed the one that the other relies on, and no test asks for either."""
    base = {"desk.py": DESK, "hall.py": HALL, "tests/test_desk.py": HALL_TEST}
    is_good, why = land_pair(tmp_path, base, {"desk.py": DESK.replace(GUARD, "")}, theirs)
    assert is_good is not bool(told), why
    assert told in why


SHELF = "def put(shelf, title):\n    shelf.append(title)\n"
SIGN = "def show(shelf):\n    return ', '.join(title for title in shelf)\n"
SIGN_TEST = """from shelf import put
from sign import show


def test_show():
    shelf = []
    put(shelf, 'Emma')
    assert show(shelf) == 'Emma'
"""
MENDED = SIGN.replace("title for", "title.replace('a', 'aa') for")


@pytest.mark.parametrize(
    ("theirs", "told"),
    [
        (
            SHELF.replace("append(title)", "append(title.replace('a', 'aa'))"),
            "sees the same on both sides, and not here",
        ),
        (SHELF.replace("append(title)", "append(title.strip())"), ""),
    ],
)
def test_what_was_mended_on_both_sides_is_mended_once(tmp_path: Path, theirs: str, told: str) -> None:
    """A value passes both new steps on its way, where either side by itself came to the same."""
    test = SIGN_TEST.replace("Emma", "Ivo")
    base = {"shelf.py": SHELF, "sign.py": SIGN, "tests/test_sign.py": test}
    more = "from sign import show\n\n\ndef test_a():\n    assert show(['a']) == 'aa'\n"
    is_good, why = land_pair(tmp_path, base, {"sign.py": MENDED, "tests/test_a.py": more}, {"shelf.py": theirs})
    assert is_good is not bool(told), why
    assert told in why


READ = "def read(word):\n    if word in ('1', '2'):\n        return int(word)\n    raise ValueError(word)\n"
TOTAL = "from read import read\n\n\ndef total(words):\n    return sum(read(word) for word in words.split())\n"


def test_an_input_that_each_side_made_fit_in_part_is_no_conflict(tmp_path: Path) -> None:
    """Both sides refuse it, at a line that still stands: there is no guard that one of them counted on."""
    test = "from total import total\n\n\ndef test_total():\n    assert total('1 2') == 3\n"
    base = {"read.py": READ, "total.py": TOTAL, "tests/test_total.py": test}
    ours = {"read.py": READ.replace("'1', '2'", "'1', '2', '-1'")}
    theirs = {"total.py": TOTAL.replace("words.split()", "words.replace('0', '1').split()")}
    is_good, why = land_pair(tmp_path, base, ours, theirs)
    assert is_good, why


TABLE = """import bisect


class Table:
    def __init__(self, limits):
        self.limits = sorted(limits)

    def find(self, size):
        return min((limit for limit in self.limits if size <= limit), default=None)
"""
HALVED = TABLE.replace(
    "min((limit for limit in self.limits if size <= limit), default=None)",
    "[*self.limits, None][bisect.bisect_left(self.limits, size)]",
)
TABLE_TEST = "from table import Table\n\n\ndef test_find():\n    assert Table([5, 3]).find(4) == 5\n"
ADD_TEST = """from table import Table


def test_add():
    table = Table([5, 3])
    table.add(9)
    assert table.find(8) == 9
"""


@pytest.mark.parametrize(
    ("added", "told"), [("self.limits.append(limit)", "tests/test_add.py"), ("bisect.insort(self.limits, limit)", "")]
)
def test_an_order_that_one_side_relies_on_is_kept(tmp_path: Path, added: str, told: str) -> None:
    """The new entry is the largest in its test by chance."""
    base = {"table.py": TABLE, "tests/test_table.py": TABLE_TEST}
    theirs = {"table.py": f"{TABLE}\n    def add(self, limit):\n        {added}\n", "tests/test_add.py": ADD_TEST}
    is_good, why = land_pair(tmp_path, base, {"table.py": HALVED}, theirs)
    assert is_good is not bool(told), why
    assert told in why


PARTS = """class Parts:
    def __init__(self, rows):
        self.rows = rows


def load(text):
    return Parts(text.split())
"""
PARTS_TEST = """from parts import load


def test_load():
    parts = load('a b')
    assert len(parts.rows) == 2
"""
FIRST = "def tell_first(parts):\n    return parts.rows[0][0]\n"
FIRST_TEST = """from first import tell_first
from parts import Parts


def test_first():
    assert tell_first(Parts(['ab'])) == 'a'
"""


@pytest.mark.parametrize(
    ("given", "told"), [("Parts([text[:1], text[1:]][::-1])", "tests/test_first.py"), ("Parts(text.split(None))", "")]
)
def test_new_code_is_given_what_the_project_makes(tmp_path: Path, given: str, told: str) -> None:
    """Its test makes the object by hand, and the other side changed what makes it."""
    base = {"parts.py": PARTS, "tests/test_parts.py": PARTS_TEST}
    theirs = {"first.py": FIRST, "tests/test_first.py": FIRST_TEST}
    is_good, why = land_pair(tmp_path, base, {"parts.py": PARTS.replace("Parts(text.split())", given)}, theirs)
    assert is_good is not bool(told), why
    assert told in why


def test_an_object_of_a_test_is_made_as_another_test_comes_to_it() -> None:
    """With what that test does before, and without what it looks at."""
    texts = {"parts.py": PARTS, "tests/test_parts.py": PARTS_TEST, "tests/test_first.py": FIRST_TEST}
    makers = list_makers({path: text.encode() for path, text in texts.items()})
    assert makers == {"Parts": [([], "from parts import load", "load('a b')")]}
    made = write_variants(FIRST_TEST, ["test_first"], [], makers=makers)
    assert "graphbus_made = load('a b')" in made
    assert "tell_first(graphbus_made)" in made


COLUMNS = """import pytest


@pytest.mark.parametrize("size, told", [(1, "small"), (9, "large")])
def test_size(size, told):
    assert tell(size) == told
"""


def test_a_table_of_parameters_keeps_its_form() -> None:
    """One that does not fit the names of its columns would take all tests of the file with it."""
    for node in ast.parse(write_variants(COLUMNS, ["test_size"], ["x", "y"])).body:
        if isinstance(node, ast.FunctionDef) and MARK in node.name:
            names, table = (ast.literal_eval(part) for part in node.decorator_list[0].args)
            assert names == "size, told"
            assert [len(row) for row in table] == [2, 2]


def test_numbers_change_places_within_texts_and_however_long_they_are() -> None:
    """Digits that Python would not read as a number take no test with them."""
    text = f"def test_it():\n    add('{'7' * 5000}', 12)\n    assert add('34 kg', 56, 1e300) == 1\n"
    assert any(f"'{number} kg'" in write_variants(text, ["test_it"], []) for number in (12, -12, 56, -56))


DISPATCH = """class Desk:
    def handle(self, word):
        return getattr(self, 'do_' + word.lower())()

    def do_wait(self):
        return 1
"""
WORDS = "WORDS = {'WAIT': 'stand still'}\n"
RENAMED = DISPATCH.replace("def do_wait", "def do_hold")
ASK_TEST = """from ask import ask
from desk import Desk


class Fake:
    def handle(self, word):
        return word


def test_ask():
    assert ask(Fake()) == 'WAIT'
"""
ASKS = "def ask(desk):\n    return desk.handle('WAIT')\n"


@pytest.mark.parametrize(("desk", "told"), [(RENAMED, "'WAIT'"), (f"{RENAMED}\n    do_wait = do_hold\n", "")])
def test_a_name_that_is_looked_up_at_run_time_is_given_by_a_member(tmp_path: Path, desk: str, told: str) -> None:
    """A table that names it is not the only one that does."""
    base = {"desk.py": DISPATCH, "words.py": WORDS}
    ours = {"desk.py": desk, "words.py": WORDS.replace("WAIT", "HOLD")}
    is_good, why = land_pair(tmp_path, base, ours, {"ask.py": ASKS, "tests/test_ask.py": ASK_TEST})
    assert is_good is not bool(told), why
    assert told in why
