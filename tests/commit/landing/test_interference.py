"""What one side relies on and the other changes, with no line in common: each kind once, and its harmless twin."""

from __future__ import annotations

import pytest

from graphbus_core.commit.landing.interference import find_interference

BASE = {
    "a.py": """LIMIT = 10


def total(xs, limit=LIMIT):
    if not xs:
        raise KeyError(xs)
    xs = xs[:limit]
    return sum(xs)


class Shape:
    def area(self, unit):
        return 1

    def name(self):
        raise NotImplementedError


def describe():
    return {"id": 1, "name": 2}
""",
    "b.py": "from a import total\n\n\ndef go(x):\n    return total(x)\n",
}

# What ours makes of a.py (old text, new text); the new file of theirs; what the refusal names, or "" for a twin.
CASES = {
    "renamed": ("def total", "def summed", "from a import total\n", "import of total"),
    "kept": ("def total", "def summed():\n    pass\n\n\ndef total", "from a import total\n", ""),
    "default": ("limit=LIMIT", "limit=20", "import a\n\n\ndef f():\n    return a.total([1])\n", "parameter limit"),
    "same": (
        "(self, unit):\n        return 1", "(self, unit, scale=1000):\n        return scale / 1000 if scale else unit",
        "from a import Shape\n\n\ndef f():\n    return Shape().area('m')\n", "",
    ),
    "given": ("limit=LIMIT", "limit=20", "import a\n\n\ndef f():\n    return a.total([1], limit=3)\n", ""),
    "order": ("xs, limit", "key, xs, limit", "import a\n\n\ndef f():\n    a.total([1], 3)\n", "parameter xs"),
    "result": (
        '{"id": 1, "name": 2}', "[1, 2]", "import a\n\n\ndef f():\n    d = a.describe()\n    return d['id']\n",
        "it is asked for 'id'",
    ),
    "apart": ('{"id": 1, "name": 2}', "1, 2, 3", "import a\n\n\ndef f():\n    x = a.describe()\n    return x\n", ""),
    "unread": ("sum(xs)", "sum(xs), 1", "from a import total\n\ntotal([1])\n", ""),
    "async": ("def describe", "async def describe", "import a\n\na.describe()\n", "kind was plain"),
    "error": (
        "raise KeyError", "raise OSError",
        "from a import total\n\ntry:\n    total([])\nexcept KeyError:\n    pass\n", "raising KeyError",
    ),
    "wider": (
        "raise KeyError", "raise OSError",
        "from a import total\n\ntry:\n    total([])\nexcept Exception:\n    pass\n", "",
    ),
    "constant": ("LIMIT = 10", "LIMIT = 20", "from a import LIMIT\n\nprint(LIMIT + 1)\n", "value was 10"),
    "override": (
        "def area", "def surface",
        "from a import Shape\n\n\nclass Dot(Shape):\n    def area(self, unit):\n        return 0\n",
        "overridden method",
    ),
    "parameters": (
        "area(self, unit)", "area(self)",
        "from a import Shape\n\n\nclass Dot(Shape):\n    def area(self, unit):\n        return 0\n",
        "being called as it",
    ),
    "duty": (
        "        return 1\n", "        raise NotImplementedError\n",
        "from a import Shape\n\n\nclass Dot(Shape):\n    pass\n", "leave to it",
    ),
    "key": ('"name"', '"title"', "import a\n\n\ndef f(d):\n    return d['name']\n", "nobody gives it"),
    "more keys": ('"name": 2', '"name": 2, "x": 3', "import a\n\n\ndef f():\n    return a.describe()['name']\n", ""),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_use_of_what_the_other_side_changed_is_told_at_its_line(case: str) -> None:
    """Whichever side is which, and nothing where the two fit."""
    old, new, text, told = CASES[case]
    assert old in BASE["a.py"]
    changed = BASE | {"a.py": BASE["a.py"].replace(old, new)}
    user = BASE | {"c.py": text}
    merged = changed | {"c.py": text}
    trees = [{path: data.encode() for path, data in tree.items()} for tree in (BASE, changed, user, merged)]
    for ours, theirs in ((1, 2), (2, 1)):
        hard = [i for i in find_interference(trees[0], trees[ours], trees[theirs], trees[3]) if not i.soft]
        if told:
            assert any(told in i.what and i.path == "c.py" and i.line for i in hard)
        else:
            assert hard == []


def test_a_module_of_the_library_is_the_librarys() -> None:
    """A file of the same name in some folder of the tree is not what `import html` brings."""
    base = {"pages/html.py": "def tag(body):\n    return body\n", "a.py": "import pages.html\n"}
    new = {"b.py": "from html import escape\n\n\ndef f(text):\n    return escape(text)\n"}
    ours = base | {"pages/html.py": "from html import escape\n\n\ndef tag(body):\n    return escape(body)\n"}
    trees = [{path: text.encode() for path, text in tree.items()} for tree in (base, ours, base | new, ours | new)]
    assert find_interference(*trees) == []


def test_a_result_that_is_computed_otherwise_is_a_question_to_the_tests() -> None:
    """The text does not tell whether it means another thing; it tells which two functions a test must run."""
    changed = BASE | {"a.py": BASE["a.py"].replace("sum(xs)", "sum(xs) * 100")}
    user = BASE | {"c.py": "from a import total\n\n\ndef f():\n    return total([1])\n"}
    four = [{p: t.encode() for p, t in tree.items()} for tree in (BASE, changed, user, changed | user | changed)]
    four[3]["c.py"] = four[2]["c.py"]
    soft = [i.soft for i in find_interference(*four)]
    assert (("c.py", "f"), ("a.py", "total")) in soft


@pytest.mark.parametrize(
    ("old", "new", "call", "is_told"),
    [
        ("a, b): return a - b", "a, b): return b - a", "f(1, 2)", True),
        ("a, b): return a - b", "x, y): return x - y", "f(1, 2)", False),
        ("a, b): return a - b", "b, a): return a - b", "f(a=1, b=2)", False),
        ("a, b): return a - b", "a, b, c=0): return c if c else a - b", "f(1, 2)", False),
    ],
)
def test_a_parameter_is_what_a_call_gives_it(old: str, new: str, call: str, is_told: bool) -> None:
    """Whatever it is called, and in whatever order the body comes to it."""
    base, ours = ({"a.py": f"def f({text}\n"} for text in (old, new))
    user = {"c.py": f"from a import f\n\n\ndef g():\n    return {call}\n"}
    trees = [{path: text.encode() for path, text in tree.items()} for tree in (base, ours, base | user, ours | user)]
    assert any("changed what it does" in i.what for i in find_interference(*trees)) is is_told


def test_an_argument_is_an_argument_by_name_and_by_place() -> None:
    """A text that one call gives by name does not lean on another call that gave it by its place."""
    base = {"a.py": 'def convert(x, of, to):\n    return x\n\n\ndef tag(x):\n    return convert(x, "EUR", "USD")\n'}
    ours = {"a.py": 'def convert(x, to, of="EUR"):\n    return x\n\n\ndef tag(x):\n    return convert(x, "USD")\n'}
    new = {"c.py": 'from a import convert\n\n\ndef f(x):\n    return convert(x, of="USD", to="EUR")\n'}
    trees = [{path: text.encode() for path, text in tree.items()} for tree in (base, ours, base | new, ours | new)]
    assert [i for i in find_interference(*trees) if not i.soft] == []
