"""What one side counts on without naming it: a scan of its folder, a key of its own, what an operator means."""

from __future__ import annotations

import pytest

from graphbus_core.commit.landing.interference import find_interference
from graphbus_core.commit.landing.interference.found import Interference

BASE = {
    "plugs/__init__.py": """import importlib
import pkgutil

PLUGS = {}
STEPS = []


def plug(name):
    def keep(func):
        PLUGS[name] = func
        return func
    return keep


def step(number):
    def keep(func):
        STEPS.append((number, func))
        return func
    return keep


def load():
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
""",
    "shop.py": """class Basket:
    def add(self, line):
        self.lines = [line]


class Box:
    def __eq__(self, other):
        return True

    def __iter__(self):
        return iter([1])

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass


class Crate:
    def __len__(self):
        return 1
""",
}
SCAN, LIST = "pkgutil.iter_modules(__path__)", "map(importlib.import_module, ())"
PLUG = "from plugs import plug, step\n\n\n@plug('csv')\ndef write(rows):\n    return rows\n"
LENGTH = ("class Basket:\n", "class Basket:\n    def __len__(self):\n        return len(self.lines)\n\n")
CRATE = ("return 1", "return 0")
TEXTS = {
    "module": (("plugs/__init__.py", SCAN, LIST), PLUG, "plugs/new.py:4: nobody looks into plugs"),
    "named module": (("plugs/__init__.py", SCAN, "map(importlib.import_module, ('plugs.new',))"), PLUG, ""),
    "same scan": (("plugs/__init__.py", SCAN, "list(pkgutil.iter_modules(__path__))"), PLUG, ""),
    "truth": (("shop.py", *LENGTH), "def f(basket, other):\n    return basket or other\n", "gave it __len__"),
    "not": (("shop.py", *LENGTH), "import shop\n\n\ndef f():\n    x = shop.Basket()\n    return not x\n", "gave it"),
    "last": (("shop.py", *LENGTH), "def f(basket, other):\n    return other or basket\n", ""),
    "identity": (("shop.py", *LENGTH), "def f(basket, other):\n    return other if basket is None else basket\n", ""),
    "equality": (("shop.py", "__len__(self)", "__eq__(self, other)"), "def f(crate, x):\n    return crate == x\n", ""),
    "no equality": (("shop.py", "__eq__(self, other)", "same(self, other)"),
                    "def f(box, boxes):\n    return box in boxes\n", "took its __eq__"),
    "taken": (("shop.py", "__len__(self)", "size(self)"), "def f(crate):\n    return not crate\n", "took its __len__"),
    "hash": (("shop.py", "__len__(self)", "__eq__(self, other)"), "def f(crate, seen):\n    seen.add(crate)\n",
             "gave it __eq__ without a __hash__"),
    "hash beside": (("shop.py", "__len__(self):", "__hash__(self):\n        return 1\n\n    def __eq__(self, other):"),
                    "def f(crates):\n    return {crate for crate in crates}\n", ""),
    "walk": (("shop.py", "iter([1])", "iter([2])"), "def f(box):\n    return [x for x in box]\n", "its __iter__ does"),
    "content": (("shop.py", "iter([1])", "iter([2])"), "def f(box, x):\n    return x in box\n", "its __iter__ does"),
    "end": (("shop.py", "pass", "return True"), "def f(box):\n    with box:\n        pass\n", "__exit__ does"),
    "begin": (("shop.py", "pass", "return True"), "def f(box):\n    return box[0], len(box), -box\n", ""),
    "answer": (("shop.py", *CRATE), "def f(crate):\n    return not crate\n", "changed what its __len__ does"),
}  # fmt: skip


def _find(base: dict[str, str], ours: dict[str, str], theirs: dict[str, str]) -> list[Interference]:
    merged = base | {p: t for side in (ours, theirs) for p, t in side.items() if t != base.get(p)}
    return find_interference(*({p: t.encode() for p, t in tree.items()} for tree in (base, ours, theirs, merged)))


@pytest.mark.parametrize("case", TEXTS)
def test_what_a_side_counts_on_without_a_name_is_told(case: str) -> None:
    """Whichever side is which, and nothing where the two fit."""
    (path, old, new), text, told = TEXTS[case]
    assert old in BASE[path]
    changed, user = BASE | {path: BASE[path].replace(old, new)}, BASE | {"plugs/new.py": text}
    for sides in ((changed, user), (user, changed)):
        found = [str(i) for i in _find(BASE, *sides)]
        assert (any(told in text for text in found)) if told else found == []


@pytest.mark.parametrize(
    ("first", "second", "is_told"),
    [
        ("@plug('csv')\ndef a(): pass\n", "@plug('csv')\ndef b(): pass\n", True),
        ("@plug('csv')\ndef a(): pass\n", "@plug(name='csv')\ndef b(): pass\n", True),
        ("@plug('csv')\ndef a(): pass\n", "PLUGS['csv'] = print\n", True),
        ("@plug('csv')\ndef a(): pass\n", "@plug('json')\ndef b(): pass\n", False),
        ("@step(3)\ndef a(): pass\n", "@step(3)\ndef b(): pass\n", False),  # that one keeps both
    ],
)
def test_a_key_that_both_sides_register_is_told_at_the_second(first: str, second: str, is_told: bool) -> None:
    """The table keeps one of them, and no line of the two is the same."""
    head = "from plugs import PLUGS, plug, step\n"
    ours, theirs = BASE | {"plugs/one.py": head + first}, BASE | {"plugs/two.py": head + second}
    found = [str(i) for i in _find(BASE, ours, theirs)]
    assert ([text.partition(":")[0] for text in found] == ["plugs/two.py"]) is is_told
    assert is_told or found == []


def test_what_is_reached_through_code_that_nobody_touched_is_told() -> None:
    """New code calls a function that is as it was, and that one calls what the other side changed."""
    base = {
        "scan.py": "def size(path):\n    return len(path) // 1024\n",
        "usage.py": "import scan\n\n\ndef total(paths):\n    return sum(scan.size(p) for p in paths)\n",
    }
    ours = base | {"scan.py": base["scan.py"].replace(" // 1024", "")}
    theirs = base | {"quota.py": "import usage\n\n\ndef over(paths):\n    return usage.total(paths) > 5\n"}
    (found,) = _find(base, ours, theirs)
    assert found.path == "quota.py"
    assert found.there == "scan.py:1"
    assert found.soft == (("quota.py", "over"), ("scan.py", "size"))
