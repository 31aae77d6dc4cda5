"""Programs with callers outside the agents' folder: a repair must be followed into them, or refused; all run afterwards.

In every one `Counter.tally` gives `quantity` where `Packer.pack` takes `qty`, and an alias says that they are one.
Each entry: what it is, the file outside, its text. `main.py` is run before and after; what it prints must not change.
"""

from __future__ import annotations

START = "from agents.packing import Counter, Packer\n\n"

OUTSIDE: tuple[tuple[str, str, str], ...] = (
    ("keyword in main", "main.py", 'print(Packer().pack(sku="a", qty=4)["label"])\n'),
    (
        "both ends in main",
        "main.py",
        't = Counter().tally()\nprint(Packer().pack(sku=t["sku"], qty=t["quantity"])["label"])\n',
    ),
    ("positional in main", "main.py", 'print(Packer().pack("a", 4)["label"])\n'),
    (
        "key read in main",
        "main.py",
        'order = {"sku": "a", "qty": 4}\nprint(Packer().pack(**order)["label"], order["qty"] + 1)\n',
    ),
    (
        "get with default",
        "main.py",
        'order = {"sku": "a", "qty": 4}\nprint(Packer().pack(**order)["label"], order.get("qty", -1))\n',
    ),
    ("dict unpacked", "main.py", 'order = {"sku": "a", "qty": 4}\nprint(Packer().pack(**order)["label"])\n'),
    ("dict call unpacked", "main.py", 'print(Packer().pack(**dict(sku="a", qty=4))["label"])\n'),
    (
        "update by keyword",
        "main.py",
        'order = {"sku": "a"}\norder.update(qty=4)\nprint(Packer().pack(**order)["label"])\n',
    ),
    (
        "helper builds the dict",
        "main.py",
        'def order(n):\n    return {"sku": "a", "qty": n}\n\n\nprint(Packer().pack(**order(4))["label"])\n',
    ),
    (
        "partial",
        "main.py",
        'from functools import partial\n\npack = partial(Packer().pack, qty=4)\nprint(pack(sku="a")["label"])\n',
    ),
    ("getattr by name", "main.py", 'print(getattr(Packer(), "pack")(sku="a", qty=4)["label"])\n'),
    ("getattr computed", "main.py", 'verb = "pa" + "ck"\nprint(getattr(Packer(), verb)(sku="a", qty=4)["label"])\n'),
    (
        "match on a mapping",
        "main.py",
        'order = {"sku": "a", "qty": 4}\nmatch order:\n    case {"qty": q}:\n        print(Packer().pack(sku="a", qty=q)["label"])\n    case _:\n        print(Packer().pack(**order))\n',
    ),
    (
        "self-documenting f-string",
        "main.py",
        'qty = Counter().tally()["quantity"]\nprint(f"{qty=}", Packer().pack(sku="a", qty=qty)["label"])\n',
    ),
    (
        "comprehension over keys",
        "main.py",
        'rows = [{"sku": "a", "qty": n} for n in (1, 2)]\nprint([Packer().pack(**r)["label"] for r in rows], sum(r["qty"] for r in rows))\n',
    ),
    (
        "itemgetter",
        "main.py",
        'from operator import itemgetter\n\norder = {"sku": "a", "qty": 4}\nprint(Packer().pack(**order)["label"], itemgetter("qty")(order))\n',
    ),
    (
        "keys destructured",
        "main.py",
        'order = {"sku": "a", "qty": 4}\nsku, n = (order[k] for k in ("sku", "qty"))\nprint(Packer().pack(**order)["label"], sku, n)\n',
    ),
    (
        "subclass overrides",
        "main.py",
        'class Loud(Packer):\n    def pack(self, sku, qty):\n        return {"label": super().pack(sku=sku, qty=qty)["label"].upper()}\n\n\nprint(Loud().pack(sku="a", qty=4)["label"])\n',
    ),
    (
        "duck-typed double",
        "main.py",
        'class Double:\n    def pack(self, sku, qty):\n        return {"label": f"{qty}!"}\n\n\ndef use(packer):\n    return packer.pack(sku="a", qty=4)["label"]\n\n\nprint(use(Double()), use(Packer()))\n',
    ),
    (
        "code in text",
        "main.py",
        "exec('print(Packer().pack(sku=\\'a\\', qty=4)[\\'label\\'])')\n",
    ),
    (
        "code in an f-string",
        "main.py",
        "n = 4\nprint(eval(f\"Packer().pack(sku='a', qty={n})['label']\"))\n",
    ),
    (
        "an example in a docstring",
        "main.py",
        'import doctest\n\n\ndef label(n):\n    """\n    >>> Packer().pack(sku="a", qty=1)["label"]\n    \'1 x a\'\n    """\n    return Packer().pack(sku="a", qty=n)["label"]\n\n\nprint(label(2), doctest.testmod().failed)\n',
    ),
    ("lambda", "main.py", 'pack = lambda n: Packer().pack(sku="a", qty=n)["label"]\nprint(pack(4))\n'),
    (
        "decorated caller",
        "main.py",
        'import functools\n\n\ndef twice(f):\n    @functools.wraps(f)\n    def run(**kw):\n        return f(**kw) + f(**kw)\n    return run\n\n\n@twice\ndef label(sku, qty):\n    return Packer().pack(sku=sku, qty=qty)["label"]\n\n\nprint(label(sku="a", qty=4))\n',
    ),
    ("inspect.signature", "main.py", 'import inspect\n\nprint("qty" in inspect.signature(Packer().pack).parameters)\n'),
    (
        "json in between",
        "main.py",
        'import json\n\norder = json.loads(json.dumps({"sku": "a", "qty": 4}))\nprint(Packer().pack(**order)["label"])\n',
    ),
    (
        "a table of calls",
        "main.py",
        'CALLS = [("pack", {"sku": "a", "qty": 4})]\nfor name, given in CALLS:\n    print(getattr(Packer(), name)(**given)["label"])\n',
    ),
    (
        "a test beside",
        "tests/test_pack.py",
        'def test_pack():\n    assert Packer().pack(sku="a", qty=4)["label"] == "4 x a"\n\n\ntest_pack()\n',
    ),
    (
        "a test with a fixture",
        "tests/test_fixture.py",
        'import pytest\n\n\n@pytest.fixture\ndef packer():\n    return Packer()\n\n\n@pytest.mark.parametrize("qty", [1, 2])\ndef test_pack(packer, qty):\n    assert packer.pack(sku="a", qty=qty)["label"] == f"{qty} x a"\n',
    ),
    (
        "a script in a folder",
        "scripts/ship.py",
        'for n in (1, 2):\n    print(Packer().pack(sku="a", qty=n)["label"])\n',
    ),
    (
        "a stub beside the module",
        "agents/packing.pyi",
        "from typing import Any\n\nfrom graphbus_core import GraphBusNode\n\nclass Counter(GraphBusNode):\n    def tally(self) -> dict[str, Any]: ...\n\nclass Packer(GraphBusNode):\n    def pack(self, sku: str, qty: int) -> dict[str, str]: ...\n",
    ),
    (
        "a notebook",
        "look.ipynb",
        '{"cells": [{"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": ["from agents.packing import Packer\\n", "print(Packer().pack(sku=\\"a\\", qty=4)[\\"label\\"])\\n"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}\n',
    ),
    (
        "a conftest",
        "conftest.py",
        'import pytest\n\n\n@pytest.fixture\ndef label():\n    return Packer().pack(sku="a", qty=4)["label"]\n\n\nprint(Packer().pack(sku="a", qty=4)["label"])\n',
    ),
)

PLAIN_MAIN = START + "t = Counter().tally()\nprint(len(t))\n"
