"""What is proved in one pass keeps nothing, and most nodes are."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from graphbus_core.artifacts.sharing.quick_proof import prove as find_reads
from graphbus_core.artifacts.sharing.target import Target

HIDDEN = (Path(__file__).parent / "placement" / "hidden.txt").read_text(encoding="utf-8").split("### ")[1:]
HEAD = "from graphbus_core import GraphBusNode, schema_method, subscribe\nfrom math import sqrt\nimport math\n"
PROVED = {
    "constants": "class N(GraphBusNode):\n    LIMIT = 3\n    @subscribe('/a')\n    def on(self, n: int):\n"
    "        self.publish('/b', {'n': min(n, self.LIMIT)})\n",
    "helpers": "FEE = 2\ndef add(rows, n=1):\n    rows.append(n)\n    return [r + FEE for r in rows]\n"
    "class N(GraphBusNode):\n    def on(self, rows: list[int]):\n        return sorted(add(rows), key=lambda r: -r)\n",
    "objects": "class Box:\n    def __init__(self):\n        self.rows = []\n    def put(self, row):\n"
    "        self.rows.append(row)\n        return self\nclass N(GraphBusNode):\n    def on(self, n: int):\n"
    "        return Box().put(sqrt(n)).put(math.floor(n)).rows\n",
    "plain": "class N:\n    def on(self, n: int):\n        if n < 0:\n            raise ValueError(f'{n}')\n"
    "        return n\n",
}
NOT_PROVED = {
    "attribute": "class N(GraphBusNode):\n    def on(self, n: int):\n        self.last = n\n",
    "class attribute": "class N(GraphBusNode):\n    ROWS = []\n    def on(self, n: int):\n"
    "        self.ROWS.append(n)\n",
    "module": "ROWS = []\nclass N(GraphBusNode):\n    def on(self, n: int):\n        ROWS.append(n)\n",
    "default": "class N(GraphBusNode):\n    def on(self, n: int, rows=[]):\n        rows.append(n)\n",
    "global": "LAST = 0\nclass N(GraphBusNode):\n    def on(self, n: int):\n        return LAST\n"
    "def keep(n):\n    global LAST\n    LAST = n\n",
    "another name of a class": "class Box:\n    limit = 0\nclass N(GraphBusNode):\n    def on(self, n: int):\n"
    "        box = Box\n        box.limit = n\n",
    "attribute of a function": "def tell(n):\n    tell.last = n\nclass N(GraphBusNode):\n    def on(self, n: int):\n"
    "        tell(n)\n",
    "self given away": "def keep(node, n):\n    node.last = n\nclass N(GraphBusNode):\n    def on(self, n: int):\n"
    "        keep(self, n)\n",
    "star": "from os import *\nclass N(GraphBusNode):\n    def on(self, n: int):\n        return len(str(n))\n",
    "call": "class N(GraphBusNode):\n    def on(self, n: int):\n        return self.call('Other', 'rows', {})\n",
    "memory": "class N(GraphBusNode):\n    def on(self, n: int):\n        self.memory['n'] = n\n",
    "file": "class N(GraphBusNode):\n    def on(self, n: int):\n        open('f', 'a').write(str(n))\n",
    "by name": "class N(GraphBusNode):\n    def on(self, n: int):\n        setattr(self, 'last', n)\n",
    "another method": "class N(GraphBusNode):\n    LIMIT = 1\n    def on(self, n: int):\n        return self.LIMIT\n"
    "    def on_other(self, n: int):\n        self.LIMIT = n\n",
}


def prove(source):
    tree = ast.parse(source)
    load = {"m": ("m", "m.py", tree, False)}.get
    return find_reads(Target("m", "N"), load) is not None


@pytest.mark.parametrize("name", PROVED)
def test_a_node_that_names_nothing_that_lasts_is_proved(name):
    assert prove(HEAD + PROVED[name])


@pytest.mark.parametrize("name", NOT_PROVED)
def test_a_node_that_can_reach_what_lasts_is_not(name):
    assert not prove(HEAD + NOT_PROVED[name])


def test_none_that_hides_something_is_proved():
    assert [part.partition("\n")[0] for part in HIDDEN if prove(part.partition("\n")[2])] == []
