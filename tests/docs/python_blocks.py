"""What each Python block of the documents must do: PYTHON, from its key to what runs it."""

# ruff: noqa: E501 - a key is a page and the first line of its block

from __future__ import annotations

import asyncio
import inspect
import shutil
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.docs.running import BLOCKS, folder, run

_MAPPED = "docs/build.md: def to_cents(price: float) -> int:"
_UNFIT = "docs/findings.md: def on_order(self, payload: str): ...  #"


def _exec(key: str, **names: Any) -> dict[str, Any]:
    space = {"__name__": "shown", **names}
    exec(compile(BLOCKS[key].text, key, "exec", dont_inherit=True), space)
    return space


def _contracts(here: Path) -> None:
    found = _exec("docs/contracts.md: from typing import NotRequired")
    verdict = found["verdict"]
    said = BLOCKS["docs/contracts.md: from typing import NotRequired"].text
    assert (verdict.compatible, verdict.counterexample) == (False, {"headlines": []})
    assert repr(verdict.reasons[0].kind) in said
    assert verdict.reasons[0].message in said


def _changes(here: Path) -> None:
    from graphbus_core.contracts import Contract

    one, two = Contract.from_annotations({"a": int}), Contract.from_annotations({"a": int, "b": str})
    found = _exec(
        "docs/contracts.md: from graphbus_core.contracts import comp", old=one, new=two, v1=one, v2=one, v3=two
    )["found"]
    assert [line.kind for line in found.lines] == ["field_added"]


def _validator(here: Path) -> None:
    from graphbus_core.contracts import Contract

    contract = Contract.from_annotations({"sku": str, "qty": int})
    check = _exec("docs/contracts.md: from graphbus_core.contracts import vali", contract=contract)["check_order"]
    assert 'qty: must be integer, got "2"' in str(check({"sku": "a", "qty": "2"}))
    assert check({"sku": "a", "qty": 2}) is None


def _build(here: Path) -> None:
    shutil.copytree(here / "examples/hello/agents", here / "my_project/agents")
    text = (
        f"import os; os.chdir({str(here)!r})\n{BLOCKS['docs/build.md: from graphbus_core.build import BuildCon'].text}"
    )
    done = run(f"python - <<'END'\n{text}\nEND", here)
    assert done.stdout.strip().endswith("()"), done.stdout + done.stderr


def _commit(here: Path) -> None:
    (here / "agents").mkdir()
    (here / "agents/cleaner.py").write_text(
        textwrap.dedent(
            """
            from graphbus_core import GraphBusNode, schema_method


            class Cleaner(GraphBusNode):
                @schema_method(input_schema={"items": list[str]}, output_schema={"items": list[str]})
                def clean(self, items):
                    return {"items": [i.strip() for i in items]}
            """
        )
    )
    (here / "test_cleaner.py").write_text("def test_it():\n    assert True\n")
    done = run(
        f"python - <<'END'\n{BLOCKS['docs/commit.md: from graphbus_core.commit import CommitE'].text}\nEND", here
    )
    assert done.stdout.startswith("prepared"), done.stdout + done.stderr
    assert "\"language\": 'en'" in done.stdout


def _ignored(key: str) -> Callable[[Path], None]:
    def check(here: Path) -> None:
        from graphbus_core.findings.suppressions import Ignore, find_ignore_comments

        text = BLOCKS[key].text
        (found,) = find_ignore_comments("a.py", f"{text}\nx = 1\n")
        assert isinstance(found, Ignore)
        assert found.reason
        assert found.until is not None

    return check


def _a_finding(here: Path) -> None:
    (here / "orders.py").write_text(BLOCKS["docs/findings.md: def load():"].text)
    done = run("mkdir one && mv orders.py one && graphbus infer one", here)
    assert "GB501" in done.stdout, done.stdout + done.stderr


def _round(here: Path) -> None:
    """The line stands in one module, and what its comment names in the other."""
    line, _, other = BLOCKS["docs/findings.md: from agents.b import B  # in agents/a.py"].text.partition("  #")
    (here / "agents").mkdir()
    for name, imports in (("a", line), ("b", other.rpartition(": ")[2])):
        node = f"class {name.upper()}(GraphBusNode):\n    pass\n"
        (here / "agents" / f"{name}.py").write_text(f"{imports}\nfrom graphbus_core import GraphBusNode\n\n\n{node}")
    done = run("graphbus validate agents", here)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "imports go round" in done.stdout, done.stdout


def _hinted(here: Path) -> None:
    """The handler of the block has a contract, and the one that no event fits is the finding that its page shows."""
    from graphbus_core.analysis.links import link_project
    from graphbus_core.analysis.links.findings import collect_findings
    from graphbus_core.analysis.scan import scan

    texts = [BLOCKS[key].text for key in ('docs/build.md: @subscribe("/Order/Created")', _UNFIT)]
    head = "from typing import TypedDict\nfrom graphbus_core import GraphBusNode, subscribe\n"
    head += "class Order(TypedDict):\n    sku: str\n"
    for name, text in zip("ab", (texts[0], f'@subscribe("/Order/Created")\n{texts[1]}'), strict=True):
        (here / "agents").mkdir(exist_ok=True)
        node = f"class {name.upper()}(GraphBusNode):\n{textwrap.indent(text, '    ')}\n"
        (here / "agents" / f"{name}.py").write_text(head + node)
    project = scan(here / "agents")
    hinted, unfit = (agent.methods[0] for agent in project.agents)
    assert hinted.input_schema is not None
    assert hinted.input_schema.source == "Order"
    assert unfit.payload_parameter == "payload"
    (finding,) = collect_findings(project, link_project(project))
    assert (finding.code, finding.subject) == ("GB109", "B.on_order")


def _mapped(here: Path) -> None:
    """The block stands in a project whose link fits by the mapping alone."""
    head = "from typing import TypedDict\nfrom graphbus_core import GraphBusNode, publishes, subscribe\n"
    head += "class Plate(TypedDict):\n    plate_no: str\n    cents: int\n"
    head += "@publishes('/Plates', {'plateNo': str, 'price': float})\nclass Camera(GraphBusNode): ...\n"
    (here / "agents").mkdir()
    (here / "agents" / "gate.py").write_text(head + BLOCKS[_MAPPED].text)
    done = run("graphbus validate agents", here)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "one checked link fits" in done.stdout


def _family(here: Path) -> None:
    from graphbus_core.participants.llm import prompts

    before = dict(prompts._FAMILIES)
    try:
        _exec("docs/models.md: from graphbus_core.participants.llm impo")
        assert "auction" in prompts._FAMILIES
    finally:
        prompts._FAMILIES.clear()
        prompts._FAMILIES.update(before)


def _script(here: Path) -> None:
    from graphbus_core.config import LLMConfig
    from graphbus_core.participants.llm import Table

    _exec(
        "docs/models.md: from graphbus_core.testing import ModelS",
        LLMConfig=LLMConfig,
        Table=Table,
        llm=LLMConfig(model="anthropic:any", api_key="any"),
    )


def _runtime(here: Path) -> None:
    folder(here, "built")
    text = BLOCKS["docs/runtime.md: from graphbus_core.runtime import run_ru"].text.replace("executor.stop()", "")
    text += '\nprint(executor.call_method("Greeter", "greet", name="Ada"))\nexecutor.stop()\n'
    done = run(f"python - <<'END'\n{text}\nEND", here)
    assert "Hello, Ada!" in done.stdout, done.stdout + done.stderr


INVENTORY = """
from graphbus_core import GraphBusNode, schema_method


class Inventory(GraphBusNode):
    @schema_method(input_schema={"sku": str}, output_schema={"available": bool})
    def check_stock(self, sku):
        return {"available": True}
"""

SHOP = f"""{INVENTORY}

from graphbus_core import publishes, subscribe


class Database: ...


class FakeDatabase(Database): ...


class Shop(GraphBusNode):
    def __init__(self, db: Database, memory=None):
        super().__init__(memory=memory)

    @subscribe("/Order/Placed")
    @publishes("/Order/Done", {{"sku": str}})
    def placed(self, payload):
        self.call("Inventory", "check_stock", sku=payload["sku"])
        self.publish("/Order/Done", {{"sku": payload["sku"]}})
"""


def _shop(here: Path) -> None:
    """The class is a whole agents folder: it can be built and run, and calls what the docs say it calls."""
    (here / "agents").mkdir()
    (here / "agents/shop.py").write_text(BLOCKS["docs/runtime.md: from graphbus_core import GraphBusNode,"].text)
    (here / "agents/inventory.py").write_text(INVENTORY)
    assert run("graphbus build agents", here).returncode == 0
    done = run("graphbus run .graphbus --call Shop.order --args '{\"id\": 1}'", here)
    assert "/Order/Created" in done.stdout, done.stdout + done.stderr


def _provided(here: Path) -> None:
    class RuntimeExecutor:  # what it takes is held by tests/runtime/test_given.py
        def __init__(self, artifacts: str, provide: Mapping[object, object]) -> None:
            self.provide = provide

    from graphbus_core import GraphBusNode
    from graphbus_core.runtime import RuntimeExecutor as Real

    assert "provide" in inspect.signature(Real).parameters
    names = {"Database": dict, "make_db": dict, "RuntimeExecutor": RuntimeExecutor, "time": __import__("time")}
    assert set(
        _exec("docs/runtime.md: class Shop(GraphBusNode):", GraphBusNode=GraphBusNode, **names)["executor"].provide
    ) == {dict, "clock"}


def _middleware(here: Path) -> None:
    """What the block makes is run: the time is measured, the log has the event, and the password stands nowhere in it."""
    folder(here, "built")
    text = BLOCKS["docs/runtime.md: from graphbus_core.runtime.middleware im"].text
    text = f"""import logging, sys
logging.basicConfig(stream=sys.stdout, level=logging.INFO)
from graphbus_core.runtime import RuntimeExecutor
{text}
executor.start()
executor.bus.publish("/Hello/Greeted", {{"message": "Hello", "password": "swordfish"}})
executor.stop()
print("timed:", timing.report()["/Hello/Greeted"]["count"])
"""
    done = run(f"python - <<'END'\n{text}\nEND", here)
    assert "timed: 1" in done.stdout, done.stdout + done.stderr
    assert "/Hello/Greeted from" in done.stdout, done.stdout
    assert "'password': '***'" in done.stdout, done.stdout
    assert "swordfish" not in done.stdout + done.stderr


def _running(here: Path) -> None:
    space: dict[str, Any] = {"__name__": "shop_of_the_docs"}
    exec(SHOP, space)
    exec(BLOCKS["docs/runtime.md: from graphbus_core.testing import runnin"].text, space)
    asyncio.run(space["test_an_order_is_done"]())


def _once(here: Path) -> None:
    """The block of contracts written once: its classes and its function take part, with the contracts it says."""
    from graphbus_core.analysis.scan import scan

    (here / "once").mkdir()
    (here / "once" / "shop.py").write_text(BLOCKS["docs/adopt.md: from typing import TypedDict"].text)
    agents = {a.name: a for a in scan(here / "once").agents}
    assert sorted(agents) == ["Cart", "Ledger", "shop"]
    order = agents["Cart"].method("order")
    assert order is not None
    assert order.input_schema.json_schema["required"] == ["sku"]
    assert set(order.output_schema.json_schema["properties"]) == {"sku", "qty"}


PYTHON: dict[str, Callable[[Path], None]] = {
    "README.md: from typing import TypedDict": lambda here: _exec("README.md: from typing import TypedDict") and None,
    'docs/adopt.md: total = row["qty"]  # graphbus: ignore[G': lambda here: (
        _exec('docs/adopt.md: total = row["qty"]  # graphbus: ignore[G', row={"qty": 2}) and None
    ),
    "docs/adopt.md: from typing import TypedDict": _once,
    "docs/build.md: from graphbus_core.build import BuildCon": _build,
    "docs/commit.md: from graphbus_core.commit import CommitE": _commit,
    "docs/contracts.md: from typing import NotRequired": _contracts,
    "docs/contracts.md: from graphbus_core.contracts import comp": _changes,
    "docs/contracts.md: from graphbus_core.contracts import vali": _validator,
    "docs/findings.md: # graphbus: ignore[GB101] until 2027-01": _ignored(
        "docs/findings.md: # graphbus: ignore[GB101] until 2027-01"
    ),
    "docs/findings.md: def load():": _a_finding,
    'docs/build.md: @subscribe("/Order/Created")': _hinted,
    _UNFIT: _hinted,
    _MAPPED: _mapped,
    "docs/findings.md: from agents.b import B  # in agents/a.py": _round,
    "docs/findings.md: # graphbus: ignore[GB101] until 2026-06": _ignored(
        "docs/findings.md: # graphbus: ignore[GB101] until 2026-06"
    ),
    "docs/models.md: from graphbus_core.participants.llm impo": _family,
    "docs/models.md: from graphbus_core.testing import ModelS": _script,
    "docs/runtime.md: from graphbus_core.runtime import run_ru": _runtime,
    "docs/runtime.md: from graphbus_core import GraphBusNode,": _shop,
    "docs/runtime.md: class Shop(GraphBusNode):": _provided,
    "docs/runtime.md: from graphbus_core.runtime.middleware im": _middleware,
    "docs/runtime.md: from graphbus_core.testing import runnin": _running,
}
