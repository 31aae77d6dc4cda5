"""Every fenced block of the documents is run here, or stands below with the reason why it is not."""

# ruff: noqa: E501 - a key is a page and the first line of its block

from __future__ import annotations

import asyncio
import inspect
import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.docs import over_nats
from tests.docs.blocks import PAGES, ROOT, blocks

BLOCKS = {block.key: block for block in blocks()}

# Why a whole block is not run.
NOT_RUN = {
    "CONTRIBUTING.md: make demo     # a virtual environment in": "this suite",
    "CONTRIBUTING.md: .venv/bin/python -m pytest tests/contrac": "this suite",
    "CONTRIBUTING.md: A renamed parameter is followed into tes": "a text, not code",
    "README.md: git clone … && cd graphbus": "a network, and this suite",
    "README.md: scan ──> link ──> mismatches, each with": "a picture",
    "docs/adopt.md: $ uvx --from git+https://github.com/grap": "a network",
    "docs/adopt.md: $ pip install 'graphbus-core[lsp]'": "a network",
    'docs/adopt.md: vim.lsp.config("graphbus", { cmd = { "gr': "an editor; tests/lsp has a real client",
    "docs/document.md: git clone git@example.org:team/plans.git": "a network; tests/document/test_across_machines.py",
    "docs/api.md: graphbus serve agents/            # a pr": "a server; tests/api starts one",
    "docs/api.md: from graphbus_core.api.client import Gra": "a server; tests/api speaks to one with this client",
    "docs/beyond-one-process.md: $ pip install 'graphbus-core[nats,otel]'": "a collector; tests/runtime/telemetry has one",
    "docs/consent.md: graphbus consent ask decision.yaml --lin": "people behind links, and a server; tests/consent/test_seat_links.py has both",
    "docs/commit.md: Proposal: p-a3f2": "a text, not code; tests/build/commit/test_engine.py holds these trailers",
    "docs/contracts.md: graphbus contracts check PRODUCER CONSUM": "a list of forms; the options in it are checked below",
    "docs/contracts.md: graphbus contracts can-i-use takes.json": "files of two repositories; tests/agree has them",
    "skill/skills/agree/SKILL.md: graphbus contracts can-i-use takes.json": "the same",
    "docs/contracts.md: repos:": "a network",
    'docs/findings.md: Cart.total -> {"sku": str, "amount": int': "a link as it is printed, not code",
    'docs/findings.md: @depends_on("Fetcher.fetch_all")  # the': "a line that is wrong on purpose; tests/findings holds every code",
    "docs/models.md: $ pip install 'graphbus-core[llm]'": "a network and a key",
    "docs/models.md: from graphbus_core.build import BuildCon": "a key",
    'docs/architecture.md: flowchart TD subgraph L0[" "]': "a picture; tests/structure draws it anew",
    "docs/negotiation.md: stateDiagram-v2 start --> between_rounds": "a picture; tests/negotiation draws it from the tables",
    "docs/negotiation.md: stateDiagram-v2 new --> tabled: proposal": "a picture; tests/negotiation draws it from the tables",
    "docs/runtime.md: $ graphbus run .graphbus --reload": "it runs until it is stopped; tests/runtime/reload runs both roads",
    "docs/runtime.md: if TYPE_CHECKING:": "a stub for type checkers; tests/e2e/test_evidence.py runs mypy on one",
    "skill/SKILL.md: graphbus negotiate say DIR --seat FILE -": "a seat of a running negotiation; tests/document plays such turns",
    "skill/skills/agree/SKILL.md: graphbus agree orders --producer shop --": "a seat of a running agreement; tests/agree plays one",
}

# Why one command of a block is not run: what stands in it -> the reason.
NOT_CALLED = {
    "ollama:": "a model",
    "anthropic:": "a key",
    "../shared": "files that are not here",
    "path/to": "files that are not here",
    "--human": "a person",
    "--approve": "a person",
    "consent ask": "a person",
    "undo p-": "an id that each run gives anew; tests/build/commit undoes some",
    '--verify "make check"': "a project with a Makefile",
    "negotiate start": "the other side, which it waits for; tests/document plays both",
    "--seat FILE": "a seat that each start gives anew; tests/document plays such turns",
    "git diff": "git's own command",
}


def test_every_block_is_run_or_says_why_not() -> None:
    """A new block needs a line in one of the tables; a line whose block is gone goes, too."""
    assert len(BLOCKS) > 60
    assert len(BLOCKS) == len(blocks()), "two blocks of a page begin alike: one hides the other, so change a first line"
    known = {*NOT_RUN, *SHELL, *PYTHON, *OTHERS, *MANY}
    assert sorted(set(BLOCKS) - known) == [], "run these blocks, or say in NOT_RUN why not"
    assert sorted(known - set(BLOCKS)) == [], "these blocks are gone"
    assert len(known) == len(NOT_RUN) + len(SHELL) + len(PYTHON) + len(OTHERS) + len(MANY)


def test_every_picture_is_there_and_shown() -> None:
    """A page that names a picture has it, and no picture is kept that no page names."""
    named = set()
    for page in PAGES:
        for target in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text("utf-8")):
            if not target.startswith("http"):
                named.add((page.parent / target).resolve())
    assert [str(one) for one in named if not one.is_file()] == []
    assert sorted(named) == sorted((ROOT / "docs/images").glob("*.png"))


# ---- commands

# block -> (the folder of the examples that it is run in, "" for their parent; the exit code of each command)
SHELL: dict[str, tuple[str, list[int]]] = {
    "README.md: graphbus validate agents/": ("shop", [0, 0, 0, 0, 1]),
    "README.md: graphbus consent run examples/consent/st": ("", [0]),
    'README.md: graphbus negotiate start plans/ "One pla': ("plans", []),
    "docs/adopt.md: $ graphbus baseline .": ("news_pipeline", [0]),
    "docs/adopt.md: $ graphbus validate agents --against git": ("news_pipeline", [0]),
    "docs/beyond-one-process.md: $ graphbus build examples/hello": ("", [0, 0]),
    "docs/build.md: graphbus validate examples/news_pipeline": ("", [1, 0, 0, 0]),
    "docs/commit.md: graphbus build agents/ --enable-agents": ("news_pipeline", [1, 1, 1, 1]),
    "docs/consent.md: graphbus consent run examples/consent/st": ("", [0, 0]),
    'docs/consent.md: graphbus consent run "Use negotiation fo': ("", [0]),
    "docs/consent.md: graphbus consent ask decision.yaml --out": ("", []),
    "docs/consent.md: graphbus consent why": ("decided", [0, 0]),
    'docs/document.md: graphbus negotiate start plans/ "One pla': ("plans", []),
    'docs/document.md: graphbus negotiate run plans/ --topic "O': ("plans", []),
    "docs/runtime.md: $ graphbus build examples/hello --output": ("", [0, 0]),
    "docs/runtime.md: $ graphbus run .graphbus dead-letters": ("built", [0, 0, 0, 0]),
    "examples/consent/README.md: graphbus consent run examples/consent/st": ("", [0, 0, 0, 0, 0]),
    "examples/hello/README.md: graphbus build examples/hello": ("", [0, 0, 0]),
    "examples/news_pipeline/README.md: graphbus validate agents": ("news_pipeline", [1, 1, 0, 0, 0, 0]),
    "examples/orders/README.md: $ cd examples/orders": ("", [0, 1, 0, 0, 1, 0]),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a copy of the examples, as a clone has them."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__", ".graphbus"))
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, words in (("graphbus", "-m graphbus_core.cli.main"), ("mypy", "-m mypy"), ("python", "")):
        (commands / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        (commands / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    for name in [n for n in os.environ if n.endswith("_API_KEY")]:
        monkeypatch.delenv(name)
    return tmp_path


def _folder(here: Path, kind: str) -> Path:
    if kind == "shop":
        (here / "agents").mkdir()
        (here / "agents" / "__init__.py").touch()
        (here / "agents" / "inventory.py").write_text(BLOCKS["README.md: from graphbus_core import GraphBusNode,"].text)
    elif kind == "plans":
        (here / "my-plan.md").write_text("# Plan\n\nSettings are written in JSON.\n")
    elif kind == "decided":
        _run("graphbus consent run examples/consent/storage.yaml", here)
    elif kind == "built":
        _run("graphbus build examples/hello", here)
    elif kind:
        _run(
            "git init -q -b main && git add . && git -c user.name=a -c user.email=a@b commit -qm one",
            here / "examples" / kind,
        )
        return here / "examples" / kind
    return here


def _run(command: str, at: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command],
        cwd=at,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("key", SHELL)
def test_commands_end_as_the_documents_say(key: str, here: Path) -> None:
    """Each command of the block, one after the other in one folder; its exit code is what the text around it says."""
    kind, codes = SHELL[key]
    at = _folder(here, kind)
    called = [c for c in BLOCKS[key].commands() if not any(word in c for word in NOT_CALLED)]
    assert len(called) == len(codes), called
    for command, code in zip(called, codes, strict=True):
        if command.startswith("cd "):
            at = at / command.removeprefix("cd ")
            continue
        _run("test ! -d .git || { git -c user.name=a -c user.email=a@b commit -qam more; }", at)
        done = _run(command, at)
        assert done.returncode == code, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        assert "Traceback" not in done.stderr or "python run.py" in command, command


def test_what_is_not_called_has_options_that_exist() -> None:
    """A command that needs a key or a person can be wrong all the same: each of its options stands in the help."""
    wrong = []
    for block in BLOCKS.values():
        for command in block.commands() if block.language in ("sh", "bash", "console", "") else ():
            if command.startswith("graphbus "):
                words = [w for w in command.split() if w != "graphbus"]
                path = [w for w in words[:2] if re.fullmatch(r"[a-z-]+", w)]
                help_ = _help(path) or _help(path[:1])
                options = re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", command.partition("<<")[0])
                wrong += [f"{block.key}: {command[:60]}: {o}" for o in options if o not in help_]
    assert wrong == []


_HELP: dict[tuple[str, ...], str] = {}


def _help(path: list[str]) -> str:
    key = tuple(path)
    if key not in _HELP:
        done = subprocess.run(
            [sys.executable, "-m", "graphbus_core.cli.main", *path, "--help"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env={**os.environ, "COLUMNS": "200"},
        )
        _HELP[key] = done.stdout if done.returncode == 0 else ""
    return _HELP[key]


# ---- Python


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
    done = _run(f"python - <<'END'\n{text}\nEND", here)
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
    done = _run(
        f"python - <<'END'\n{BLOCKS['docs/commit.md: from graphbus_core.build.commit import C'].text}\nEND", here
    )
    assert done.stdout.startswith("prepared"), done.stdout + done.stderr
    assert "\"language\": 'en'" in done.stdout


def _ignored(key: str) -> Callable[[Path], None]:
    def check(here: Path) -> None:
        from graphbus_core.findings.ignores import Ignore, comments

        text = BLOCKS[key].text
        (found,) = comments("a.py", f"{text}\nx = 1\n")
        assert isinstance(found, Ignore)
        assert found.reason
        assert found.until is not None

    return check


def _a_finding(here: Path) -> None:
    (here / "orders.py").write_text(BLOCKS["docs/findings.md: def load():"].text)
    done = _run("mkdir one && mv orders.py one && graphbus infer one", here)
    assert "GB501" in done.stdout, done.stdout + done.stderr


def _round(here: Path) -> None:
    """The line stands in one module, and what its comment names in the other."""
    line, _, other = BLOCKS["docs/findings.md: from agents.b import B  # in agents/a.py"].text.partition("  #")
    (here / "agents").mkdir()
    for name, imports in (("a", line), ("b", other.rpartition(": ")[2])):
        node = f"class {name.upper()}(GraphBusNode):\n    pass\n"
        (here / "agents" / f"{name}.py").write_text(f"{imports}\nfrom graphbus_core import GraphBusNode\n\n\n{node}")
    done = _run("graphbus validate agents", here)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "imports go round" in done.stdout, done.stdout


def _family(here: Path) -> None:
    from graphbus_core.participants.llm.words import questions

    before = dict(questions._FAMILIES)
    try:
        _exec("docs/models.md: from graphbus_core.participants.llm impo")
        assert "auction" in questions._FAMILIES
    finally:
        questions._FAMILIES.clear()
        questions._FAMILIES.update(before)


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
    _folder(here, "built")
    text = BLOCKS["docs/runtime.md: from graphbus_core.runtime import run_ru"].text.replace("executor.stop()", "")
    text += '\nprint(executor.call_method("Greeter", "greet", name="Ada"))\nexecutor.stop()\n'
    done = _run(f"python - <<'END'\n{text}\nEND", here)
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
    assert _run("graphbus build agents", here).returncode == 0
    done = _run("graphbus run .graphbus --call Shop.order --args '{\"id\": 1}'", here)
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
    _folder(here, "built")
    text = BLOCKS["docs/runtime.md: from graphbus_core.runtime.handling.midd"].text
    text = f"""import logging, sys
logging.basicConfig(stream=sys.stdout, level=logging.INFO)
from graphbus_core.runtime import RuntimeExecutor
{text}
executor.start()
executor.bus.publish("/Hello/Greeted", {{"message": "Hello", "password": "swordfish"}})
executor.stop()
print("timed:", timing.report()["/Hello/Greeted"]["count"])
"""
    done = _run(f"python - <<'END'\n{text}\nEND", here)
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
    from graphbus_core.build.scan import scan

    (here / "once").mkdir()
    (here / "once" / "shop.py").write_text(BLOCKS["docs/adopt.md: from typing import TypedDict"].text)
    agents = {a.name: a for a in scan(here / "once").agents}
    assert sorted(agents) == ["Cart", "Ledger", "shop"]
    order = agents["Cart"].method("order")
    assert order is not None
    assert order.input_schema.json_schema["required"] == ["sku"]
    assert set(order.output_schema.json_schema["properties"]) == {"sku", "qty"}


def _components(here: Path) -> None:
    from graphbus_core.settings.read import read

    (here / "pyproject.toml").write_text(BLOCKS["docs/adopt.md: [tool.graphbus]"].text)
    assert list(read(here / "pyproject.toml")) == ["components"]


PYTHON: dict[str, Callable[[Path], None]] = {
    "README.md: from graphbus_core import GraphBusNode,": lambda here: (
        _exec("README.md: from graphbus_core import GraphBusNode,") and None
    ),
    'docs/adopt.md: total = row["qty"]  # graphbus: ignore[G': lambda here: (
        _exec('docs/adopt.md: total = row["qty"]  # graphbus: ignore[G', row={"qty": 2}) and None
    ),
    "docs/adopt.md: from typing import TypedDict": _once,
    "docs/build.md: from graphbus_core.build import BuildCon": _build,
    "docs/commit.md: from graphbus_core.build.commit import C": _commit,
    "docs/contracts.md: from typing import NotRequired": _contracts,
    "docs/contracts.md: from graphbus_core.contracts import comp": _changes,
    "docs/contracts.md: from graphbus_core.contracts import vali": _validator,
    "docs/findings.md: # graphbus: ignore[GB101] until 2027-01": _ignored(
        "docs/findings.md: # graphbus: ignore[GB101] until 2027-01"
    ),
    "docs/findings.md: def load():": _a_finding,
    "docs/findings.md: from agents.b import B  # in agents/a.py": _round,
    "docs/findings.md: # graphbus: ignore[GB101] until 2026-06": _ignored(
        "docs/findings.md: # graphbus: ignore[GB101] until 2026-06"
    ),
    "docs/models.md: from graphbus_core.participants.llm impo": _family,
    "docs/models.md: from graphbus_core.testing import ModelS": _script,
    "docs/runtime.md: from graphbus_core.runtime import run_ru": _runtime,
    "docs/runtime.md: from graphbus_core import GraphBusNode,": _shop,
    "docs/runtime.md: class Shop(GraphBusNode):": _provided,
    "docs/runtime.md: from graphbus_core.runtime.handling.midd": _middleware,
    "docs/runtime.md: from graphbus_core.testing import runnin": _running,
}


@pytest.mark.parametrize("key", PYTHON)
def test_python_does_what_its_comments_say(key: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The block is executed with what the text around it has introduced."""
    monkeypatch.chdir(here)
    PYTHON[key](here)


# ---- settings, workflows, answers, what is printed


def _workflow(key: str, example: str, codes: list[int]) -> Callable[[Path], None]:
    """Each `run: graphbus …` of a workflow ends as it should; the rest is GitHub's."""

    def check(here: Path) -> None:
        steps = yaml.safe_load(BLOCKS[key].text)["jobs"]["contracts"]["steps"]
        lines = [step["run"] for step in steps if step.get("run", "").startswith("graphbus")]
        at = _folder(here, example)
        if "git:" in lines[0]:
            (at / "schemas").mkdir()
            (at / "schemas" / "order.json").write_text('{"type": "object", "properties": {"sku": {"type": "string"}}}')
            _run("git add . && git -c user.name=a -c user.email=a@b commit -qm two", at)
            _run("git update-ref refs/remotes/origin/main HEAD", at)
        assert [_run(line, at).returncode for line in lines] == codes

    return check


def _hook(here: Path) -> None:
    (hook,) = yaml.safe_load(BLOCKS["docs/adopt.md: # .pre-commit-config.yaml"].text)["repos"][0]["hooks"]
    assert _run(hook["entry"], _folder(here, "hello")).returncode == 0


def _printed(key: str) -> Callable[[Path], None]:
    """What a command is shown to print is what it prints."""

    def check(here: Path) -> None:
        done = _run("graphbus validate agents", _folder(here, "news_pipeline"))
        assert BLOCKS[key].text.strip() in done.stdout, done.stdout

    return check


def _diff(here: Path) -> None:
    """Each line that the README shows as removed stands in the pipeline, as added in what the agents agree."""
    at = _folder(here, "news_pipeline")
    before = (at / "agents/cleaner.py").read_text("utf-8")
    _run("graphbus build agents --enable-agents --answers answers.yaml", at)
    after = (at / "agents/cleaner.py").read_text("utf-8")
    for line in BLOCKS["README.md: -            'items': list[Headline],"].text.splitlines():
        assert (line[0], line[1:] in before.splitlines(), line[1:] in after.splitlines()) in (
            ("-", True, False),
            ("+", False, True),
        ), line


def _scenario(here: Path) -> None:
    (here / "storage.yaml").write_text(BLOCKS["docs/consent.md: topic: Where the order history is kept"].text)
    done = _run("graphbus consent run storage.yaml", here)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert "decision" in done.stdout + done.stderr


def _settings(key: str, command: str) -> Callable[[Path], None]:
    def check(here: Path) -> None:
        at = _folder(here, "hello")
        (at / "pyproject.toml").write_text(BLOCKS[key].text)
        done = _run(command, at)
        assert done.returncode == 0, done.stdout + done.stderr

    return check


def _answer(here: Path) -> None:
    """The two blocks of an answer are read, and the label is replaced by the code."""
    from graphbus_core.participants.llm.words.answers import read

    shown = (
        BLOCKS['docs/models.md: {"proposals": [{"type": "logic_improveme'].text,
        BLOCKS['docs/models.md: return {"items": [title.strip() for titl'].text,
    )
    body = read(f"```json\n{shown[0]}\n```\n```python trim\n{shown[1]}\n```", {"type": "object"})
    assert body["proposals"][0]["diff"][0]["body"] == shown[1]


# Three blocks of one page tell one story: they are run once, together.
MANY = (
    "docs/beyond-one-process.md: $ pip install 'graphbus-core[nats]'",
    "docs/beyond-one-process.md: $ graphbus run dead-letters list  --bus",
    "docs/beyond-one-process.md: graphbus: The contract of /Order/Created",
)


@pytest.mark.timeout(300)
def test_two_processes_do_what_the_page_says(here: Path) -> None:
    """The commands of MANY, with a server of the test's own."""
    over_nats.two_processes(here, *(BLOCKS[key] for key in MANY))


OTHERS: dict[str, Callable[[Path], None]] = {
    "README.md: ✗ FetcherService.fetch_headlines  =>  Cl": _printed(
        "README.md: ✗ FetcherService.fetch_headlines  =>  Cl"
    ),
    "README.md: -            'items': list[Headline],": _diff,
    "docs/adopt.md: # .github/workflows/contracts.yml": _workflow(
        "docs/adopt.md: # .github/workflows/contracts.yml", "hello", [0]
    ),
    "docs/adopt.md: # .pre-commit-config.yaml": _hook,
    "docs/adopt.md: [tool.graphbus]": _components,
    "docs/build.md: ✗ FetcherService.fetch_headlines  =>  Cl": _printed(
        "docs/build.md: ✗ FetcherService.fetch_headlines  =>  Cl"
    ),
    "docs/consent.md: topic: Where the order history is kept": _scenario,
    "docs/contracts.md: [tool.graphbus.contracts]": _settings(
        "docs/contracts.md: [tool.graphbus.contracts]", "graphbus config"
    ),
    "docs/contracts.md: jobs:": _workflow("docs/contracts.md: jobs:", "hello", [0]),
    'docs/models.md: {"proposals": [{"type": "logic_improveme': _answer,
    'docs/models.md: return {"items": [title.strip() for titl': _answer,
    "docs/runtime.md: [[tool.graphbus.policy.rules]]": _settings(
        "docs/runtime.md: [[tool.graphbus.policy.rules]]", "graphbus config"
    ),
}


@pytest.mark.parametrize("key", OTHERS)
def test_settings_workflows_and_what_is_printed_are_as_shown(key: str, here: Path) -> None:
    """Read by what reads them in earnest."""
    OTHERS[key](here)
