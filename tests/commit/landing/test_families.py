"""What one side takes for granted of a family, and the other side adds to: a number, a field, a state, a meaning."""

from __future__ import annotations

import pytest

from graphbus_core.commit.landing.interference import find_interference
from graphbus_core.commit.landing.replay.infection import shows_change

BASE = {
    "steps/one.py": "VERSION = 1\nAUTHOR = 'ann'\n",
    "codes.py": """from enum import Enum, IntEnum

ERRORS = {"missing": 101, "denied": 102}
PRICES = {"tea": 2, "cake": 7}
ROUTES = [("/", print), ("/about", len)]


class Level(IntEnum):
    LOW = 1


class State(Enum):
    OPEN = "open"
    PAID = "paid"


class Format:
    pass


class Csv(Format):
    name = "csv"


class Txt(Format):
    name = "txt"


class Note:
    def __init__(self, title, body):
        self.title = title
        self.body = body


def open_order(order):
    order.mode = "new"


def close_order(order):
    order.mode = "done"


def wait(settings):
    return settings["timeout"]


class Stock:
    def __init__(self):
        self.counts = {}

    def put(self, name):
        self.counts[name] = 1

    def take(self, name):
        del self.counts[name]


def ask(table, tenant=None):
    return [table, tenant]


def users():
    return ask("users")


def bills():
    return ask("bills")


RATES = [{"name": "tea", "price": 2}, {"name": "cake", "price": 7}]
""",
    "sql/001_users.sql": "",
}
Tree = dict[str, str]


def _edit(old: str, new: str) -> Tree:
    assert old in BASE["codes.py"]
    return {"codes.py": BASE["codes.py"].replace(old, new)}


def _find(ours: Tree, theirs: Tree, merged: Tree) -> list[str]:
    trees = ({p: t.encode() for p, t in tree.items()} for tree in (BASE, BASE | ours, BASE | theirs, BASE | merged))
    return [str(i) for i in find_interference(*trees)]


def _add_twice(old: str, first: str, second: str) -> tuple[Tree, Tree, Tree]:
    """Both sides add something behind a text."""
    return _edit(old, old + first), _edit(old, old + second), _edit(old, old + first + second)


def _add_files(first: Tree, second: Tree) -> tuple[Tree, Tree, Tree]:
    return first, second, first | second


IDENTITIES = {
    "modules": (_add_files({"steps/a.py": "VERSION = 2\n"}, {"steps/b.py": "VERSION = 2\n"}), "2 is also VERSION"),
    "other numbers": (_add_files({"steps/a.py": "VERSION = 2\n"}, {"steps/b.py": "VERSION = 3\n"}), ""),
    "no series": (_add_files({"steps/a.py": "VERSION = 9\n"}, {"steps/b.py": "VERSION = 9\n"}), ""),
    "same words": (_add_files({"steps/a.py": "AUTHOR = 'bob'\n"}, {"steps/b.py": "AUTHOR = 'bob'\n"}), ""),
    "files": (_add_files({"sql/002_a.sql": ""}, {"sql/002_b.sql": ""}), "'002' is also the number"),
    "other files": (_add_files({"sql/002_a.sql": ""}, {"sql/003_b.sql": ""}), ""),
    "enum": (_add_twice("    LOW = 1\n", "    MID = 2\n", "    HIGH = 2\n"), "is also the value of Level.MID"),
    "table": (_add_twice('"denied": 102', ', "gone": 103', ', "busy": 103'), "103 is also the value"),
    "prices": (_add_twice('"cake": 7', ', "milk": 4', ', "bun": 4'), ""),
    "list": (_add_twice('("/about", len)', ', ("/x", id)', ', ("/x", max)'), "'/x' is also the first"),
    "classes": (
        _add_files(
            {"a.py": "from codes import Format\n\n\nclass A(Format):\n    name = 'xml'\n"},
            {"b.py": "from codes import Format\n\n\nclass B(Format):\n    name = 'xml'\n"},
        ),
        "'xml' is also name of A",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", IDENTITIES)
def test_what_tells_members_apart_is_told_where_both_sides_take_the_same(case: str) -> None:
    """And nothing where it goes on otherwise, or where members share it anyway."""
    trees, told = IDENTITIES[case]
    texts = _find(*trees)
    assert any(told in text for text in texts) if told else texts == []


FIELD = _edit(
    "body):\n        self.title = title", "body, mark=''):\n        self.mark = mark\n        self.title = title"
)
STATE = _edit('    PAID = "paid"\n', '    PAID = "paid"\n    LATE = "late"\n')
MODE = {"lost.py": "def lose(order):\n    order.mode = 'lost'\n"}
KIND = {"late.py": "from codes import Format\n\n\nclass Late(Format):\n    pass\n"}
UNIT = _edit('settings["timeout"]\n', 'settings["timeout"] / 1000\n')
MOVED = _edit('return settings["timeout"]\n', 'seconds = settings["timeout"]\n    return seconds\n')
HEAD = "from codes import Csv, Note, State\n\n\ndef f(x):\n"
GROWN = {
    "copy": (FIELD, "    return Note(x.title, x.body)\n", "c.py:5: it hands on every field of Note"),
    "table": (FIELD, "    return {'title': x.title, 'body': x.body.strip()}\n", "the other side added mark"),
    "keys": (FIELD, "    return Note(x['title'], x.get('body'))\n", "every field of Note"),
    "columns": (FIELD, "    return x\n\n\nCOLUMNS = ('title', 'body')\n", "every field of Note"),
    "part": (FIELD, "    return Note(x.title, '')\n", ""),
    "sum": (FIELD, "    return x.title + x.body\n", ""),
    "not": (STATE, "    return [y for y in x if y.state is not State.OPEN]\n", "added State.LATE"),
    "only": (STATE, "    return [y for y in x if y.state is State.PAID]\n", ""),
    "guard": (STATE, "    if x.state is not State.OPEN:\n        raise ValueError(x)\n    return 1\n", ""),
    "else": (STATE, "    if x is State.OPEN:\n        return 'o'\n    return 'p'\n", "for State.PAID"),
    "nothing else": (STATE, "    if x is State.OPEN:\n        return 'o'\n    return None\n", ""),
    "choice": (STATE, "    return 'o' if x is State.OPEN else 'p'\n", "for State.PAID"),
    "all": (STATE, "    return 'o' if x in (State.OPEN, State.PAID) else '?'\n", ""),
    "text": (MODE, "    return x.mode != 'new'\n", "for 'done', and the other side added 'lost'"),
    "kind": (KIND, "    return 1 if isinstance(x, Csv) else 2\n", "added Late"),
    "unit": (UNIT, "    return 3 * x.settings['timeout']\n", "changed what wait does with it"),
    "same": (MOVED, "    return 3 * x.settings['timeout']\n", ""),
}  # fmt: skip


@pytest.mark.parametrize("case", GROWN)
def test_what_was_said_of_a_whole_family_is_told_where_the_family_grew(case: str) -> None:
    """Whichever side is which, and nothing where the new code speaks of a part."""
    changed, text, told = GROWN[case]
    user = {"c.py": HEAD + text}
    for ours, theirs in ((changed, user), (user, changed)):
        texts = _find(ours, theirs, changed | user)
        left = [text for text in texts if "changed what it does" not in text]
        assert any(told in text for text in texts) if told else left == []


def _replace(*pairs: tuple[str, str]) -> Tree:
    text = BASE["codes.py"]
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return {"codes.py": text}


LOCKS = (("        self.counts[", "        with self.lock:\n            self.counts["),
         ("        del self", "        with self.lock:\n            del self"))  # fmt: skip
TENANTS = (('ask("users")', 'ask("users", tenant=1)'), ('ask("bills")', 'ask("bills", tenant=1)'))
TAX = (('"price": 2}', '"price": 2, "tax": 0}'), ('"price": 7}', '"price": 7, "tax": 1}'))
CLEAR = "\n    def clear(self):\n        self.counts.clear()\n"
OUT = "\n    def out(self):\n        self.take('a')\n        self.counts.pop('b')\n"
WHOLE = {
    "lock": (LOCKS, ("\n\ndef ask(", f"{CLEAR}\n\ndef ask("), "gave with self.lock to all methods of Stock"),
    "one lock": (LOCKS[:1], ("\n\ndef ask(", f"{CLEAR}\n\ndef ask("), ""),
    "handed on": (LOCKS, ("\n\ndef ask(", f"{OUT}\n\ndef ask("), ""),
    "call": (TENANTS, ("RATES", "def rows():\n    return ask('rows')\n\n\nRATES"), "gave tenant= to all calls of ask"),
    "same call": (TENANTS, ("RATES", "def rows():\n    return ask('rows', tenant=2)\n\n\nRATES"), ""),
    "entry": (TAX, ("RATES = [", 'RATES = [{"name": "bun", "price": 3}, '), "gave 'tax' to all entries of RATES"),
    "whole entry": (TAX, ("RATES = [", 'RATES = [{"name": "bun", "price": 3, "tax": 1}, '), ""),
}  # fmt: skip


@pytest.mark.parametrize("case", WHOLE)
def test_what_all_members_were_given_is_told_where_a_new_one_lacks_it(case: str) -> None:
    """Not where one of two was given it, nor where the new one has it or leaves it to one that does."""
    changes, new, told = WHOLE[case]
    trees = _replace(*changes), _replace(new), _replace(*changes, new)
    texts = _find(*trees)
    assert any(told in text for text in texts) if told else [t for t in texts if "to all" in t] == []


SIZED = "from codes import Format\n\n\nclass A(Format):\n    def size(self):\n        return 2\n"
TAKEN = {
    "base and subclass": ("class Format:\n    pass\n", "class Format:\n    def size(self):\n        return 1\n",
                          SIZED, "size of Format"),
    "sisters": ("class Txt(Format):\n", "class Txt(Format):\n    def size(self):\n        return 1\n\n",
                SIZED, ""),
    "key": ('order.mode = "new"', 'order.mode = "new"\n    order.meta["code"] = 1',
            "def f(order, x):\n    order.meta['code'] = x\n", "'code' of meta"),
    "table of its own": ('order.mode = "new"', 'order.mode = "new"\n    order.meta["code"] = 1',
            "def f(x):\n    meta = {}\n    meta['code'] = x\n    return meta\n", ""),
}  # fmt: skip


@pytest.mark.parametrize("case", TAKEN)
def test_a_free_name_that_both_sides_took_is_told_at_the_second(case: str) -> None:
    """Where one object or one table has both."""
    old, new, text, told = TAKEN[case]
    ours, theirs = _replace((old, new)), {"c.py": text}
    texts = _find(ours, theirs, ours | theirs)
    assert any(told in t and t.startswith("c.py") for t in texts) if told else texts == []


CIRCLE_BASE = """def f():
    return 1


def g():
    return 1


def on(name, func):
    return name, func


def tell(name):
    return name


class Bank:
    def move(self):
        return 1

    def sum(self):
        return 1
"""
F, G = "def f():\n    return 1\n", "def g():\n    return 1\n"
HEARS = f"{G}\n\ndef hear():\n    f()\n\n\non('done', hear)\n"
MOVE, SUM = "def move(self):\n        return 1\n", "def sum(self):\n        return 1\n"
CIRCLES = {
    "calls": ((F, "def f():\n    return g()\n"), (G, "def g():\n    return f()\n"), "a.py:6: g comes to f"),
    "one way": ((F, "def f():\n    return g()\n"), (G, "def g():\n    return 2\n"), ""),
    "told": ((F, "def f():\n    tell('done')\n"), (G, HEARS), "back to itself"),
    "locks": (
        (MOVE, "def move(self):\n        with self.a, self.b:\n            return 1\n"),
        (SUM, "def sum(self):\n        with self.b:\n            with self.a:\n                return 1\n"),
        "Bank.b comes to Bank.a",
    ),
    "same order": (
        (MOVE, "def move(self):\n        with self.a, self.b:\n            return 1\n"),
        (SUM, "def sum(self):\n        with self.a:\n            with self.b:\n                return 1\n"), "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CIRCLES)
def test_a_circle_that_both_sides_closed_is_told(case: str) -> None:
    """Of calls, of what is told and heard, of locks; each side's ways come to an end."""
    first, second, told = CIRCLES[case]
    texts = [CIRCLE_BASE, CIRCLE_BASE.replace(*first), CIRCLE_BASE.replace(*second)]
    trees = [{"a.py": text.encode()} for text in (*texts, texts[1].replace(*second))]
    texts = [str(i) for i in find_interference(*trees)]
    assert any(told in text for text in texts) if told else [t for t in texts if "comes to" in t] == []


SAME, OTHER, HIDDEN = ([["a.py", "f", [value, {}]]] for value in (["v", 1], ["v", 2], ["other", "Box"]))


@pytest.mark.parametrize(
    ("pairs", "shows"),
    [
        ([(SAME, SAME)], False),
        ([(SAME, SAME), (SAME, OTHER)], True),
        ([(HIDDEN, HIDDEN)], True),  # it cannot be told that it was the same
        ([([], [])], True),
    ],
)
def test_equal_results_count_only_where_the_change_came_to_something_else(
    pairs: list[tuple[list[object], list[object]]], shows: bool
) -> None:
    """A changed line that gives what the old one gave shows nothing of who stands above it."""
    assert shows_change(pairs, lambda scope: True) is shows
    assert shows_change(pairs, lambda scope: None)  # functions that one tree does not have tell nothing
