"""Every setting does something: each key of `[tool.graphbus]` changes what a command says, and so does its variable."""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.analysis.scan import scan
from graphbus_core.cli.build import command
from graphbus_core.cli.main import main
from graphbus_core.config import BuildConfig
from graphbus_core.services.build_command import apply_settings, build_config
from graphbus_core.services.validation import judge_run
from graphbus_core.settings import KNOWN, load_settings
from graphbus_core.testing import write_files

CART = """\
from graphbus_core import GraphBusNode, schema_method


class Cart(GraphBusNode):
    def __init__(self, clock):
        self.clock = clock

    @schema_method({"sku": str}, {"sku": str, "quantity": int})
    def order(self, sku):
        return {"sku": sku, "quantity": 1}


def clock():
    return 3
"""
BILL = """\
from graphbus_core import GraphBusNode, depends_on, schema_method


class Bill(GraphBusNode):
    @depends_on("Cart.order")
    @schema_method({"sku": str, "qty": int}, {"ok": bool})
    def bill(self, sku, qty):
        return {"ok": qty > 0}
"""
OLD = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
NEW = {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}
FILES = {
    "agents/cart.py": CART,
    "agents/bill.py": BILL,
    "other/__init__.py": "",
    "other/plain.py": "class Plain:\n    def f(self, x: int) -> int:\n        return x\n",
    "other/rows.py": "def load():\n    return {'quantity': 3}\n\n\ndef total():\n    return load()['qty']\n",
    "beside.toml": '["other.plain:Plain"]\n',
    "events.json": json.dumps(
        {
            "asyncapi": "3.0.0",
            "info": {"title": "E", "version": "1"},
            "channels": {"c": {"address": "c", "messages": {"m": {"payload": OLD}}}},
            "operations": {"heard": {"action": "receive", "channel": {"$ref": "#/channels/c"}}},
        }
    ),
    "old.json": json.dumps(OLD),
    "new.json": json.dumps(NEW),
    "ref.json": json.dumps(
        {"type": "object", "properties": {"n": {"$ref": "https://x.example/n.json"}}, "required": ["n"]}
    ),
    "n.json": json.dumps({"type": "integer"}),
    "then/a.json": json.dumps(OLD),
    "now/a.json": json.dumps(OLD),
    "now/junk.json": '{"no": "schema"}',
    "past/a/1.json": "",
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two nodes that do not fit, plain code beside them, contracts of old and new."""
    write_files(tmp_path, {name: text for name, text in FILES.items() if text})
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "shop"\n')
    monkeypatch.chdir(tmp_path)
    for name in [one for one in sys.modules if one.partition(".")[0] == "agents"]:  # of another test's project
        monkeypatch.delitem(sys.modules, name)
    for name in list(os.environ):
        if name.startswith("GRAPHBUS_"):
            monkeypatch.delenv(name)
    return tmp_path


def say(*args: str) -> str:
    """Exit code and everything that a command says."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(list(args))
    return f"{code}\n{out.getvalue()}{err.getvalue()}"


def options(**more: Any) -> BuildConfig:
    """What `graphbus build agents --enable-agents` comes to."""
    given = {name: one.default for name, one in inspect.signature(command.build).parameters.items()}
    return build_config(apply_settings({**given, "path": "agents", "enable_agents": True, **more}))


def setting(project: Path, text: str) -> None:
    """Write the settings."""
    (project / "pyproject.toml").write_text(f'[project]\nname = "shop"\n\n[tool.graphbus]\n{text}\n')


DIFF = ("contracts", "diff")
IGNORED = '[[tool.graphbus.{}ignore]]\ncode = "{}"\nreason = "known"'
SAID: list[tuple[str, str, tuple[str, ...], str]] = [  # key, settings, command, what it says with them alone
    ("roots", 'roots = ["agents"]', ("validate",), "1 of 1 checked links do not fit"),
    ("roots", 'roots = ["agents", "other"]', ("validate",), "1 of 1 checked links do not fit"),
    ("roots", 'roots = ["agents"]', ("build",), "Built 2 agents"),
    ("roots", 'roots = ["agents"]', ("baseline",), "2 findings kept"),
    ("roots", 'roots = ["other"]', ("watch", "--once"), "GB501"),
    ("include", 'include = ["agents/cart.py"]', ("validate", "agents"), "1 agent."),
    ("include", 'include = ["agents/cart.py"]', ("build", "agents"), "Built 1 agent"),
    ("include", 'include = ["agents.cart"]', ("inspect", "agents"), "1 agent, in"),
    ("include", 'include = ["other/*"]', ("infer", "."), "in 2 files"),
    ("exclude", 'exclude = ["agents/bill.py"]', ("validate", "agents"), "1 agent."),
    ("exclude", 'exclude = ["agents/bill.py"]', ("build", "agents"), "Built 1 agent"),
    ("exclude", 'exclude = ["other.rows"]', ("infer", "."), "Nothing was found that cannot fit"),
    ("exclude", 'exclude = ["agents/bill.py"]', ("watch", "agents", "--once"), "1 finding ("),
    ("components", 'components = ["other.plain:Plain"]', ("inspect", "."), "Plain  other/plain.py"),
    ("external", 'external = ["events.json"]', ("inspect", "."), "Events  events.json"),
    ("contracts_file", 'contracts_file = "beside.toml"', ("inspect", "."), "Plain  other/plain.py"),
    ("contracts_file", 'contracts_file = "none.toml"', ("infer", ".", "--contracts"), "+++ b/none.toml"),
    ("output_dir", 'output_dir = "out"', ("build", "agents"), "into out"),
    ("output_dir", 'output_dir = "out"', ("run", "--call", "Bill.bill"), "folder out"),
    ("output_dir", 'output_dir = "out"', ("export", "mermaid"), "folder out"),
    ("output_dir", 'output_dir = "out"', ("why", "Cart"), "negotiation in out"),
    ("output_dir", 'output_dir = "out"', ("inspect-negotiation",), "negotiation in out"),
    ("output_dir", 'output_dir = "out"', ("log", "verify"), "negotiation in out"),
    ("output_dir", 'output_dir = "out"', ("undo", "p-1"), "commits of out"),
    ("format", 'format = "json"', ("validate", "agents"), '"ok": false'),
    ("format", 'format = "github"', ("infer", "."), "::error"),
    ("format", 'format = "json"', (*DIFF, "old.json", "new.json"), '"mode": "BACKWARD"'),
    ("baseline", 'baseline = "kept.json"', ("baseline", "agents"), "kept in kept.json"),
    ("ignore", IGNORED.format("", "GB101"), ("validate", "agents"), "(1 ignored)."),
    ("ignore", IGNORED.format("", "GB501"), ("infer", "."), "Nothing was found that cannot fit"),
    ("model", 'model = ["rules"]', ("build", "agents", "--enable-agents"), "as asked for"),
    ("verify", 'verify = "nothing-of-the-kind"', ("build", "agents", "--enable-agents"), "nothing-of-the-kind"),
    ("rounds", "rounds = 1", ("build", "agents", "--enable-agents"), "as many as there may be"),
    ("contracts.mode", 'mode = "FORWARD"', (*DIFF, "old.json", "new.json"), "FORWARD"),
    ("contracts.history", 'history = "past"', (*DIFF, "old.json"), "past"),
    (
        "contracts.map",
        'map = ["https://x.example/n.json=n.json"]',
        ("contracts", "check", "ref.json", "old.json"),
        "0\n",
    ),
    ("contracts.exclude", 'exclude = ["junk.json"]', (*DIFF, "then", "now"), "0\n"),
    ("contracts.baseline", 'baseline = "gone.json"', (*DIFF, "new.json", "old.json"), "gone.json is not there"),
    ("contracts.ignore", IGNORED.format("contracts.", "GB301"), (*DIFF, "new.json", "old.json"), "0\n"),
]
CONFIGURED: list[tuple[str, str, str, Any]] = [  # key, settings, what of the build's config it is, its value
    ("fallback_model", 'fallback_model = "openai:x"', "llm_config.fallback_model", "openai:x"),
    ("model", 'model = ["a:b", "Cart=rules"]', "llm_config.models", {"Cart": "rules"}),
    ("verify", 'verify = "make test"', "verify", "make test"),
    ("rounds", "rounds = 7", "safety_config.max_negotiation_rounds", 7),
    ("budget.cost_usd", "budget = {cost_usd = 1.5}", "llm_config.max_cost_usd", 1.5),
    ("budget.tokens", "budget = {tokens = 9}", "llm_config.max_tokens", 9),
    ("budget.wall_s", "budget = {wall_s = 60}", "llm_config.max_wall_s", 60),
    ("policy.arbiters", 'policy = {arbiters = ["Bill"]}', "safety_config.arbiter_agents", ["Bill"]),
    ("policy.protect", 'policy = {protect = ["cart.py"]}', "safety_config.protected_files", ["cart.py"]),
    ("policy.approve", "policy = {approve = true}", "enable_human_in_loop", True),
    ("policy.allow_imports", "policy = {allow_imports = true}", "safety_config.allow_external_dependencies", True),
    ("policy.allow_unproved", 'policy = {allow_unproved = ["types"]}', "allow_unproved", ["types"]),
    ("policy.git", "policy = {git = true}", "git_commit", True),
]
ELSEWHERE = {"provide", "policy.rules", "contracts.reading"}  # told below


@pytest.mark.parametrize(("key", "text", "args", "said"), SAID)
def test_a_setting_changes_what_a_command_says(
    project: Path, key: str, text: str, args: tuple[str, ...], said: str
) -> None:
    """Said with the setting, and not without; where a variable can hold it, the variable says the same."""
    plain = say(*args)
    assert not plain.startswith(said) if said.endswith("\n") else said not in plain
    table = key.startswith("contracts.") and "[[" not in text
    setting(project, f"[tool.graphbus.contracts]\n{text}" if table else text)
    told = say(*args)
    assert told.startswith(said) if said.endswith("\n") else said in told, told
    assert key in KNOWN


@pytest.mark.parametrize(("key", "text", "part", "value"), CONFIGURED)
def test_a_setting_is_the_option_that_was_not_given(
    project: Path, monkeypatch: pytest.MonkeyPatch, key: str, text: str, part: str, value: Any
) -> None:
    """Flags over environment over file; a plain build and a resumed one leave it alone."""

    def of(config: BuildConfig) -> Any:
        found: Any = config
        for name in part.split("."):
            found = getattr(found, name, None)
        return found

    assert of(options()) != value
    setting(project, text)
    assert of(options()) == value
    assert of(options(resume=True)) != value
    assert of(options(enable_agents=False)) != value
    if isinstance(value, bool):
        flag = {"policy.approve": "approve", "policy.allow_imports": "allow_imports", "policy.git": "git"}[key]
        assert of(options(**{flag: False})) is False
    monkeypatch.setenv(KNOWN[key].variable, {bool: "0", list: "rehearsal"}.get(type(value), "8"))
    assert of(options()) != value


def test_every_key_is_in_one_of_the_tables() -> None:
    """A new setting that nobody reads would be a promise."""
    assert {key for key, *_ in (*SAID, *CONFIGURED)} | ELSEWHERE == set(KNOWN)


def test_a_path_that_is_protected_is_seen_from_the_file_that_says_it(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the command is given."""
    setting(project, 'policy = {protect = ["agents/cart.py"]}')
    monkeypatch.chdir(project / "agents")
    assert options(path=".").safety_config.protected_files == [str(project / "agents" / "cart.py")]


def test_providers_and_rules_hold_in_a_run_and_are_told_by_a_build(project: Path) -> None:
    """What a run would refuse is known before it."""
    assert "clock" in say("validate", "agents", "--json")
    setting(project, 'provide = ["clock=agents.cart:clock"]')
    assert "GB108" not in say("validate", "agents", "--json")
    assert say("build", "agents").startswith("0")
    assert say("run", "--call", "Cart.order", "--args", '{"sku": "a"}').startswith("0")
    setting(
        project,
        'provide = ["clock=agents.cart:clock"]\n[[tool.graphbus.policy.rules]]\nname = "r"\nwho = "Bill"\ncall = []\n',
    )
    write_files(project, {"agents/bill.py": BILL.replace("qty > 0", "self.call('Cart', 'order', sku=sku) is not None")})
    refused = say("build", "agents")
    assert refused.startswith("1")
    assert "Bill may not call Cart.order" in refused
    assert say("validate", "agents").startswith("1")


@pytest.mark.parametrize("agents", ["agents", "shop/agents"])
@pytest.mark.parametrize("way", ["comment", "settings", "baseline"])
def test_a_refusal_that_is_ignored_does_not_fail_a_build(project: Path, way: str, agents: str) -> None:
    """As `validate` has it: by a comment where it stands, by the settings, or by the baseline, all from the root."""
    rule = '[[tool.graphbus.policy.rules]]\nname = "r"\nwho = "Bill"\ncall = []\n'
    ignore = '[[tool.graphbus.ignore]]\ncode = "GB111"\nfiles = "**"\nreason = "the till is asked by hand"\n'
    setting(project, (ignore if way == "settings" else "") + rule)
    call = "self.call('Cart', 'order', sku=sku)"
    comment = "  # graphbus: ignore[GB111] the till is asked by hand" if way == "comment" else ""
    bill = BILL.replace("return", f"asked = {call}{comment}\n        return", 1)
    write_files(project, {f"{agents}/cart.py": CART, f"{agents}/bill.py": bill})
    if way == "baseline":
        assert say("build", agents).startswith("1")
        say("baseline", agents)
    assert "GB111" not in say("validate", agents, "--format", "github").replace("ignore[GB111]", "")
    assert say("build", agents).startswith("0")


def test_what_a_run_would_refuse_stands_though_its_source_is_gone(project: Path) -> None:
    """A file may be deleted between the scan and the judgement: then no comment in it silences anything."""
    rule = '[[tool.graphbus.policy.rules]]\nname = "r"\nwho = "Bill"\ncall = []\n'
    setting(project, rule)
    call = "asked = self.call('Cart', 'order', sku=sku)  # graphbus: ignore[GB111] the till is asked by hand"
    write_files(project, {"agents/bill.py": BILL.replace("return", f"{call}\n        return", 1)})
    agents, settings = scan(str(project / "agents")).agents, load_settings(project)
    assert "GB111" not in [one.code for one in judge_run(agents, project, settings)]
    (project / "agents" / "bill.py").unlink()
    assert "GB111" in [one.code for one in judge_run(agents, project, settings)]


def test_how_contracts_are_read_is_a_setting(project: Path) -> None:
    """`strict` refuses what `lenient` lets through."""
    write_files(project, {"open.json": json.dumps({**OLD, "required": []}), "shut.json": json.dumps(OLD)})
    found = set()
    for reading in ("strict", "lenient"):
        setting(project, f'[tool.graphbus.contracts]\nreading = "{reading}"')
        found.add(say("contracts", "check", "open.json", "shut.json"))
        found.add(say(*DIFF, "old.json", "new.json"))
    assert len(found) > 2


def test_several_roots_and_include_do_not_go_together(project: Path) -> None:
    """And a root that is not there is an error with its line."""
    setting(project, 'roots = ["agents", "other"]\ninclude = ["x"]')
    assert "pyproject.toml:5: several roots" in say("validate")
    setting(project, 'roots = ["agents", "othr"]')
    assert "pyproject.toml:5: there is no folder othr" in say("validate")


def test_the_docs_have_every_key() -> None:
    """A table that is written once is out of date twice."""
    text = (Path(__file__).parents[2] / "docs" / "adopt.md").read_text()
    assert [name for name, one in KNOWN.items() if f"| `{name}` | {one.does} |" not in text] == []
