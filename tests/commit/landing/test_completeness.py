"""What was whole on its side and is not in the merged tree: a table, a constructor, a copied text, an option."""

from __future__ import annotations

import pytest

from graphbus_core.commit.landing.interference import find_interference

BASE = {
    "model.py": """from enum import Enum

MARK = "|"


class State(Enum):
    OPEN = 1
    DONE = 2


class Part:
    def run(self):
        return self.work()


def join(fields):
    return MARK.join(fields)


def call(path, **options):
    return options.pop("tries", 1)
""",
}
MEMBER = ("    DONE = 2\n", "    DONE = 2\n    LATE = 3\n")
STATE = (
    "    def run(self):\n        return",
    "    def __init__(self):\n        self.runs = 0\n\n    def run(self):\n        self.runs += 1\n        return",
)
TABLE = "from model import State\n\nNAMES = {State.OPEN: 'o', State.DONE: 'd'}\n\n\ndef name(state):\n    return "
# What ours makes of model.py (old text, new text); the new file of theirs; what the refusal names, or "".
CASES = {
    "table": (*MEMBER, TABLE + "NAMES[state]\n", "c.py:7: it tells of every member of State"),
    "table with a way out": (*MEMBER, TABLE + "NAMES.get(state, '?')\n", ""),
    "part of a table": (*MEMBER, TABLE.replace(", State.DONE: 'd'", "") + "NAMES[state]\n", ""),
    "match": (
        *MEMBER,
        ("from model import State\n\n\ndef name(s):\n    match s:\n        case State.OPEN:\n            return 1\n"
        "        case State.DONE:\n            return 2\n"), "added LATE",
    ),
    "chain": (
        *MEMBER,
        ("from model import State\n\n\ndef name(s):\n    if s is State.OPEN:\n        return 1\n"
        "    elif s is State.DONE:\n        return 2\n    raise ValueError(s)\n"), "added LATE",
    ),
    "chain with a rest": (
        *MEMBER,
        ("from model import State\n\n\ndef name(s):\n    if s is State.OPEN:\n        return 1\n"
        "    elif s is State.DONE:\n        return 2\n    else:\n        return 0\n"), "",
    ),
    "constructor": (
        *STATE, "from model import Part\n\n\nclass Pump(Part):\n    def __init__(self, name):\n        self.n = name\n",
        "c.py:5: Pump does not set up runs",
    ),
    "constructor that calls on": (
        *STATE,
        ("from model import Part\n\n\nclass Pump(Part):\n    def __init__(self, name):\n        super().__init__()\n"
        "        self.name = name\n"), "",
    ),
    "copy": (
        'MARK = "|"', 'MARK = ";"', "def split(line):\n    return line.split('|')\n", "'|' is what MARK was",
    ),
    "no copy": (
        'MARK = "|"', 'MARK = ";"', "import model\n\n\ndef split(line):\n    return line.split(',')\n", "",
    ),
    "option": (
        '"tries"', '"attempts"', "from model import call\n\n\ndef go():\n    return call('/', tries=3)\n",
        "option tries was read",
    ),
    "option of another": (
        'options.pop("tries", 1)', 'options.pop("tries", 1) or options', 
        "from model import call\n\n\ndef go():\n    return call('/', tries=3)\n", "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_was_whole_on_its_side_is_told_where_it_is_not_in_the_merged_tree(case: str) -> None:
    """Whichever side is which, and nothing where the two fit."""
    old, new, text, told = CASES[case]
    assert old in BASE["model.py"]
    changed = BASE | {"model.py": BASE["model.py"].replace(old, new)}
    user = BASE | {"c.py": text}
    trees = [{p: t.encode() for p, t in tree.items()} for tree in (BASE, changed, user, changed | {"c.py": text})]
    for ours, theirs in ((1, 2), (2, 1)):
        found = [str(i) for i in find_interference(trees[0], trees[ours], trees[theirs], trees[3])]
        if told:
            assert any(told in text for text in found), found
        else:
            assert [text for text in found if "changed what it does" not in text] == []
