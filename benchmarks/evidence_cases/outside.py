"""The programs with callers outside the agents' folder, as projects."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.evidence_cases.case import Case
from benchmarks.evidence_cases.outside_lines import OUTSIDE, PLAIN_MAIN, START

AGENTS = """from typing import Annotated

from graphbus_core import Alias, GraphBusNode, depends_on, schema_method


class Counter(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"sku": str, "quantity": int})
    def tally(self):
        return {"sku": "a", "quantity": 4}


class Packer(GraphBusNode):
    @depends_on("Counter.tally")
    @schema_method(
        input_schema={"sku": str, "qty": Annotated[int, Alias("quantity")]},
        output_schema={"label": str},
    )
    def pack(self, sku: str, qty: int):
        return {"label": f"{qty} x {sku}"}
"""

# What stands in the node itself and tells the parameter's name to others, or to whoever reads what it prints.
NEEDS = """import functools


def needs(name):
    def mark(f):
        @functools.wraps(f)
        def run(*given, **named):
            print(named.get(name))
            return f(*given, **named)

        return run

    return mark


class Packer"""
IN_THE_NODE = {
    "a decorator names it": (("class Packer", NEEDS), ('    @depends_on("C', '    @needs("qty")\n    @depends_on("C')),
    "its body shows it": (('f"{qty} x {sku}"', 'f"{qty=}{qty = :>3} x {sku}"'),),
}


def outside() -> Iterator[Case]:
    """Every program, with a `main.py` that runs before and must run after."""
    for name, changes in IN_THE_NODE.items():
        agents = AGENTS
        for old, new in changes:
            agents = agents.replace(old, new)
        main = START + 'print(Packer().pack(sku="a", qty=4)["label"])\n'
        files = {"agents/packing.py": agents, "agents/__init__.py": "", "main.py": main}
        yield Case("outside", name, name, files, "qty", ("quantity",), runs=("main.py",))
    for name, path, text in OUTSIDE:
        bare = path.endswith((".pyi", ".ipynb"))
        files = {"agents/packing.py": AGENTS, "agents/__init__.py": "", "main.py": PLAIN_MAIN}
        files[path] = text if bare else _started(text)
        runs = tuple(dict.fromkeys(("main.py", path)))
        yield Case("outside", name, name, files, "qty", ("quantity",), runs=runs)


def _started(text: str) -> str:
    """With the import of the agents after the imports of its own."""
    return START.rstrip("\n") + "\n" + text if text.startswith(("import ", "from ")) else START + text
