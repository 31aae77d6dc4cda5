"""What new code is handed: what the project makes, and not only what a test made by hand; and what it then shows."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.commit.landing.own_tests import list_own_tests
from graphbus_core.commit.landing.replay.compare import Trees, is_as_before
from graphbus_core.commit.landing.replay.exchange import Passage, pair_products
from graphbus_core.commit.landing.replay.stale import find_stale, list_steps
from graphbus_core.commit.landing.replay.steps import STEP
from graphbus_core.commit.landing.replay.substitutes import SHARE, Sharer, find_alike
from graphbus_core.commit.landing.replay.values import dump_error
from graphbus_core.commit.landing.replay.variants import LOOK, MARK, write_variants
from graphbus_core.commit.landing.replay.varied import find_parting
from graphbus_core.commit.landing.texts import list_literals
from tests.commit.landing.test_land import PLUGINS, Shop

NUMBER = [["v", "number"], ["v", 5]]
TEXT = [["v", "number"], ["v", "5"]]
NAME = [["v", "name"], ["v", "Ida"]]


def tell(made: dict[str, Any], shared: dict[str, list[str]] | None = None) -> dict[str, Any]:
    return {"made": {"tests/test_it.py::test_it": made}, "shared": shared or {}}


def test_products_of_one_act_are_laid_side_by_side() -> None:
    """What is the same says nothing, nor what was made more often; what leads to two things is not sure."""
    old, new = ["d", [NUMBER]], ["d", [TEXT]]
    assert pair_products(tell({"class A": [old]}), tell({"class A": [new]})) == [("class A", old, new)]
    assert pair_products(tell({"class A": [old]}), tell({"class A": [old]})) == []
    assert pair_products(tell({"class A": [old]}), tell({"class A": [new, new]})) == []
    assert pair_products(tell({"class A": [old, old]}), tell({"class A": [new, ["d", [NAME]]]})) == []
    assert pair_products(tell({"class A": [["v", 0.3]]}), tell({"class A": [["v", 0.1 + 0.2]]})) == []
    assert pair_products(tell({}), tell({}, {"A": ["data"]})) == [("shared", ["A", "data"], ["A", "data"])]
    assert pair_products(tell({}, {"A": ["data"]}), tell({}, {"A": ["data"]})) == []


@pytest.mark.parametrize(
    ("before", "now", "came"),
    [
        (["v", 5], ["v", "5"], True),
        (["list", [["v", 5], ["v", 7]], 2], ["list", [["v", "5"], ["v", 7]], 2], True),
        (["v", "no. 20"], ["v", "no. 0020"], True),
        (["v", 7], ["v", "7"], False),
        (["list", [["v", "Ida"]], 1], ["list", [], 0], False),
    ],
)
def test_what_comes_through_as_it_was_given_is_no_difference(before: Any, now: Any, came: bool) -> None:
    """Each tree was given something else, and whoever only hands it on minds nothing."""
    passage = Passage([("class A", ["d", [NUMBER]], ["d", [TEXT]]), ("result of f", ["v", "20"], ["v", "0020"])])
    assert passage.came_through(before, now) is came


TEST = """from shop import Member, Club, read


def test_club():
    club = Club.of("20  # by letter", {"number": 20})
    assert club.lets_in(Member(20, name="Bo"))
    assert read("20;Bo\\n") == "20;Bo"
"""


def substitute(*products: tuple[str, Any, Any]) -> list[str]:
    nodes = ast.parse(write_variants(TEST, ["test_club"], [], products=products)).body
    return [ast.unparse(node) for node in nodes if isinstance(node, ast.FunctionDef)]


def test_a_test_is_given_what_the_project_makes_and_says_so_everywhere() -> None:
    """An object by its class, with its number where the test names it; the merged tree is given its own."""
    old = ["d", [NUMBER, NAME]]
    written, on_side = substitute(("class Member", old, old))
    _, merged = substitute(("class Member", old, ["d", [TEXT, NAME]]))
    assert "Member(20, name='Bo')" in written
    assert "Member(number=5, name='Ida')" in on_side
    assert "'5  # by letter'" in on_side
    assert "{'number': 5}" in on_side
    assert "Member(number='5', name='Ida')" in merged
    assert "'5  # by letter'" in merged  # what else the test says is the same on both trees


def test_a_table_and_a_text_are_known_by_their_form() -> None:
    """A table by its keys, a text by a line of the same marks; what is expected stays."""
    _, table = substitute(("result of f", ["d", [NUMBER]], ["d", [TEXT]]))
    _, text = substitute(("file members", ["v", "5;Ida\n"], ["v", "Ida;5\n"]))
    assert "{'number': '5'}" in table
    assert "read('Ida;5\\n')" in text
    assert len(substitute(("result of f", ["d", [NAME]], ["d", [TEXT]]))) == 1
    assert len(substitute(("file members", ["v", "5 Ida\n"], ["v", "Ida;5\n"]))) == 1


@pytest.mark.parametrize(
    ("written", "made", "is_alike"),
    [
        ("1\tkim\tin\n", "x\n22\tjo\tchange it\n", True),
        ("kim", "jo", False),
        ("1,kim", "1;kim", False),
        ("7", "8", False),
    ],
)
def test_texts_are_alike_by_the_marks_of_a_line(written: str, made: str, is_alike: bool) -> None:
    """Words alone are alike to anything."""
    assert (find_alike(written, made) is not None) is is_alike


class Frame:
    def __init__(self, data: bytearray) -> None:
        self.data = data


def test_objects_share_a_part_only_where_the_tree_does() -> None:
    """The part is one, and is filled anew for each."""
    for is_sharing in (True, False):
        sharer = Sharer(is_sharing)
        first, second = (sharer.share(Frame(bytearray(text)), "data") for text in (b"a", b"b"))
        assert (first.data is second.data) is is_sharing
        assert bytes(second.data) == b"b"
        assert bytes(first.data) == (b"b" if is_sharing else b"a")
    assert f"{SHARE}(Member(20, name='Bo'), 'data')" in substitute(("shared", ["Member", "data"], []))[1]


def test_a_class_of_unittest_is_looked_into_whatever_its_name() -> None:
    """Its tests are a side's own, and each of its looks tells what it looks at."""
    text = "class Rows(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(f(1), 2)\n"
    assert list_own_tests(b"", text.encode(), b"") == ["Rows::test_it"]
    varied = write_variants(text, ["Rows::test_it"], [])
    assert f"def test_it{MARK}0" in varied
    assert f"{LOOK}(f(1))" in varied
    assert "assertEqual" not in varied
    raises = text.replace("assertEqual(f(1), 2)", "assertRaises(ValueError, f, 1)")
    assert "assertRaises(ValueError, f, 1)" in write_variants(raises, ["Rows::test_it"], [])


def test_a_stand_in_is_left_out_with_what_is_asked_of_it() -> None:
    """Then what it stood for runs."""
    text = "def test_it():\n    m = Meter()\n    m.flush = Mock()\n    m.add(1)\n    m.flush.assert_called()\n"
    varied = write_variants(text, ["test_it"], [])
    assert any("m.add(1)" in part and "flush" not in part for part in varied.split("\ndef "))


def test_an_error_counts_where_a_line_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What breaks at another line was never thought of, and so nobody counts on it."""
    from graphbus_core.commit.landing.replay import values

    (tmp_path / "shop.py").write_text(
        "def refuse():\n    raise KeyError('x')\n\n\ndef break_it():\n    return {}['x']\n"
    )
    monkeypatch.setattr(values, "_ROOT", f"{tmp_path}/")
    names: dict[str, Any] = {}
    exec(compile((tmp_path / "shop.py").read_text(), str(tmp_path / "shop.py"), "exec"), names)
    told = []
    for name in ("refuse", "break_it"):
        with pytest.raises(KeyError) as caught:
            names[name]()
        told.append(dump_error(caught.value))
    refused, broke = told
    assert not is_as_before(refused, ["v", 1])
    assert is_as_before(broke, ["v", 1])
    assert is_as_before(refused, broke)


def test_what_is_said_to_the_reader_is_no_input() -> None:
    """Nobody hands a docstring over."""
    assert list_literals(b'"""Says."""\n\n\ndef f():\n    """Says."""\n    return "given", 3\n') == ("given", 3)


def test_a_parting_is_the_last_line_before_two_courses_differ() -> None:
    """Or the end that gave something else."""
    road = [["a.py", "f", 3], ["a.py", "f", 4], ["a.py", "f", 5, [["v", 1], {}]]]
    away = [["a.py", "f", 3], ["a.py", "f", 6]]
    other = [*road[:2], ["a.py", "f", 5, [["v", 2], {}]]]
    assert find_parting({"course": road}, {"course": road}) is None
    assert find_parting({"course": road}, {"course": away}) == ("a.py", "f", 3)
    assert find_parting({"course": road}, {"course": other}) == ("a.py", "f", 5)


PRICER = "class Pricer:\n    def gross(self, sku):\n        return 12\n"
ABROAD = f"{PRICER}\n    def ship_to(self, land):\n        self.land = land\n"


def test_the_steps_are_those_that_only_the_other_side_knows() -> None:
    """With what its tests give them, where that is plain."""
    test = b"def test_it(p):\n    p.ship_to('ch')\n    p.gross('pen')\n    p.ship_to(land)\n"
    merged = {"pricing.py": ABROAD.encode(), "tests/test_it.py": test}
    assert list_steps(Trees("", "", {"pricing.py": PRICER.encode()}, merged)) == [["Pricer", "ship_to", "'ch', "]]
    assert list_steps(Trees("", "", merged, merged)) == []
    varied = write_variants("def test_a():\n    p = Pricer()\n    assert p.x() == 2\n", ["test_a"], [],
                            steps=[["Pricer", "ship_to", "'ch', "]])  # fmt: skip
    assert varied.count(f"{STEP}('Pricer', 'ship_to', True, ('ch',))") == 2
    assert varied.count(f"{STEP}('Pricer', 'ship_to', False, ('ch',))") == 2


@pytest.mark.parametrize(
    ("once", "twice", "stepped", "kept", "is_stale"),
    [
        ([12], [12, 12], [10], [12, 12], True),  # what was told before is told still
        ([12], [12, 12], [10], [12, 10], False),
        ([12], [12, 12], [12], [12, 12], False),  # the step shows nothing
        ([1], [1, 2], [1], [1, 2], False),  # who counts its looks has kept nothing
    ],
)
def test_who_tells_the_old_thing_after_a_step_has_kept_it(
    once: list[int], twice: list[int], stepped: list[int], kept: list[int], is_stale: bool
) -> None:
    """Only where nobody who looked twice without the step saw anything else."""
    told = {
        f"t.py::test_a{MARK}{i}": {"end": "passed", "seen": [["v", n] for n in seen], "lines": {"q.py::f": []},
                                   "course": []}
        for i, seen in enumerate((once, twice, stepped, kept))
    }  # fmt: skip
    assert bool(find_stale(told, "Pricer.ship_to")) is is_stale


DIRECTORY = """class Directory:
    def __init__(self, names):
        self.names = names

    def find(self, hidden=True):
        return [n for n in self.names if hidden or not n.startswith("_")]
"""
FLIPPED = DIRECTORY.replace("hidden=True", "hidden=False")
DIRECTORY_TEST = """from directory import Directory


def test_find():
    assert len(Directory(["a", "_b"]).find(hidden=True)) == 2
"""
ERASE = """class Erasure:
    def __init__(self, directory):
        self.directory = directory

    def erase(self, name):
        return [n for n in self.directory.find() if name in n]
"""
ERASE_TEST = """from directory import Directory
from erase import Erasure


def test_erase():
    assert Erasure(Directory(["a"])).erase("a") == ["a"]
"""
MEMBERS = """class Member:
    def __init__(self, number, name):
        self.number = number
        self.name = name


def load(text):
    rows = [line.split(";") for line in text.splitlines()]
    return [Member(int(number), name) for number, name in rows]
"""
AS_TEXT = MEMBERS.replace("int(number)", "number")
MEMBERS_TEST = "from members import load\n\n\ndef test_load():\n    assert [m.name for m in load('7;Bo')] == ['Bo']\n"
BLOCKED = """class Blocked:
    def __init__(self, numbers):
        self.numbers = numbers

    def blocks(self, member):
        return member.number in self.numbers
"""
EITHER = BLOCKED.replace("member.number in self.numbers", "str(member.number) in map(str, self.numbers)")
BLOCKED_TEST = """from blocked import Blocked
from members import Member


def test_blocks():
    assert Blocked([3]).blocks(Member(3, "Ida"))
"""


@pytest.mark.timeout(400)  # it runs many inputs, on a machine that may be busy
@pytest.mark.parametrize(
    ("base", "change", "new", "line"),
    [
        ({"directory.py": DIRECTORY, "tests/test_directory.py": DIRECTORY_TEST}, {"directory.py": FLIPPED},
         {"erase.py": ERASE, "tests/test_erase.py": ERASE_TEST}, "erase.py:6"),
        ({"directory.py": DIRECTORY, "tests/test_directory.py": DIRECTORY_TEST}, {"directory.py": FLIPPED},
         {"erase.py": ERASE.replace("find()", "find(hidden=True)"), "tests/test_erase.py": ERASE_TEST}, ""),
        ({"members.py": MEMBERS, "tests/test_members.py": MEMBERS_TEST}, {"members.py": AS_TEXT},
         {"blocked.py": BLOCKED, "tests/test_blocked.py": BLOCKED_TEST}, "blocked.py:6"),
        ({"members.py": MEMBERS, "tests/test_members.py": MEMBERS_TEST}, {"members.py": AS_TEXT},
         {"blocked.py": EITHER, "tests/test_blocked.py": BLOCKED_TEST}, ""),
    ],
    ids=["default", "default given", "type of a field", "either type"],
)  # fmt: skip
def test_what_no_text_says_is_told_by_its_line(
    tmp_path: Path, base: dict[str, str | bytes], change: dict[str, str | bytes], new: dict[str, str | bytes], line: str
) -> None:
    """A member that nothing but its name tells of, and an object that the test makes by hand."""
    shop = Shop(tmp_path)
    options = " ".join(f"-p no:{name}" for name in PLUGINS)
    shop.write({**base, "pytest.ini": f"[pytest]\npythonpath = .\naddopts = {options}\n"})
    shop.commit("more")
    shop.branch("theirs", new)
    shop.write(change)
    shop.commit("ours")
    landing = shop.land("theirs", verify="auto", dry_run=True)[0]
    assert landing.is_good is not bool(line), landing.why
    assert line in landing.why
