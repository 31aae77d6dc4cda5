"""The scan: every node class is found, whatever the way to GraphBusNode, and what it declares is read from source."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from graphbus_core.analysis.scan import Project, scan
from graphbus_core.errors import ScanError
from graphbus_core.model.agent_def import AgentDefinition


def write(root: Path, files: dict[str, str]) -> Path:
    """A project; paths are relative to `root`."""
    for path, text in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(dedent(text), "utf-8", newline="")
    return root / "agents"


def one(root: Path, source: str, name: str = "A") -> AgentDefinition:
    """The agent `name` of a project of one file."""
    found = scan(write(root, {"agents/a.py": source})).find_agent(name)
    assert found is not None
    return found


def names(project: Project) -> list[str]:
    return [agent.name for agent in project.agents]


NODE = "from graphbus_core import GraphBusNode\n"

WAYS = {
    "plain": (NODE + "class A(GraphBusNode): ...", {}),
    "node_base": ("from graphbus_core.node_base import GraphBusNode\nclass A(GraphBusNode): ...", {}),
    "as": ("from graphbus_core import GraphBusNode as Node\nclass A(Node): ...", {}),
    "module": ("import graphbus_core\nclass A(graphbus_core.GraphBusNode): ...", {}),
    "module as": ("import graphbus_core.node_base as nb\nclass A(nb.GraphBusNode): ...", {}),
    "star": ("from graphbus_core import *\nclass A(GraphBusNode): ...", {}),
    "alias": (NODE + "Base = GraphBusNode\nclass A(Base): ...", {}),
    "base class": (NODE + "class B(GraphBusNode): ...\nclass A(B): ...", {}),
    "generic": (NODE + "class B(GraphBusNode): ...\nclass A(B[int]): ...", {}),
    "second base": (NODE + "class Mixin: ...\nclass A(Mixin, GraphBusNode): ...", {}),
    "other module": ("from base import B\nclass A(B): ...", {"agents/base.py": NODE + "class B(GraphBusNode): ..."}),
    "relative": ("from .base import B\nclass A(B): ...", {"agents/base.py": NODE + "class B(GraphBusNode): ..."}),
    "absolute": ("from agents import base\nclass A(base.B): ...", {"agents/base.py": NODE + "B = GraphBusNode"}),
    "re-export": (
        "from lib import B\nclass A(B): ...",
        {"lib/__init__.py": "from .x import *", "lib/x.py": NODE + "B = GraphBusNode"},
    ),
    "try import": (
        "try:\n    from graphbus_core import GraphBusNode\nexcept ImportError:\n    raise\nclass A(GraphBusNode): ...",
        {},
    ),
    "under if True": (NODE + "if True:\n    class A(GraphBusNode): ...", {}),
    "with version": (NODE + "import sys\nif sys.version_info >= (3, 8):\n    class A(GraphBusNode): ...", {}),
    "in try": (NODE + "try:\n    class A(GraphBusNode): ...\nfinally:\n    pass", {}),
    "nested": (NODE + "class Outer:\n    class A(GraphBusNode): ...", {}),
    "after a metaclass": (NODE + "class A(GraphBusNode, metaclass=type): ...", {}),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_a_node_is_found_however_it_inherits(tmp_path: Path, way: str) -> None:
    """Through modules, aliases, re-exports, conditions and base classes."""
    source, others = WAYS[way]
    project = scan(write(tmp_path, {"agents/a.py": source, **others}))
    assert "A" in names(project)


NOT_NODES = [
    "class A: ...",
    "class GraphBusNode: ...\nclass A(GraphBusNode): ...",
    "from other_library import GraphBusNode\nclass A(GraphBusNode): ...",
    NODE + "if False:\n    class A(GraphBusNode): ...",
    NODE + "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    class A(GraphBusNode): ...",
    NODE + "if __name__ == '__main__':\n    class A(GraphBusNode): ...",
    NODE + "def make():\n    class A(GraphBusNode): ...\n    return A",
    NODE + "from abc import abstractmethod\nclass A(GraphBusNode):\n    @abstractmethod\n    def f(self): ...",
    "from collections import namedtuple\nclass A(namedtuple('A', 'x y')): ...",
]


@pytest.mark.parametrize("source", NOT_NODES)
def test_what_no_import_would_give_as_a_node_is_none(tmp_path: Path, source: str) -> None:
    """Other classes, abstract ones, and ones that exist for the type checker alone."""
    folder = write(tmp_path, {"agents/a.py": source, "agents/b.py": NODE + "class Real(GraphBusNode): ..."})
    assert names(scan(folder)) == ["Real"]


def test_what_a_class_declares_is_read(tmp_path: Path) -> None:
    """Prompt, arbiter, model, contracts, topics, dependencies, signature: all without an import."""
    agent = one(
        tmp_path,
        '''
        import nowhere_to_be_found
        from typing import NotRequired
        from graphbus_core import GraphBusNode, depends_on, publishes, schema_method, subscribe

        TOPIC = "/Order" + "/Created"
        TEXT = f"""
            topic {TOPIC}
        """

        @depends_on("Store")
        @publishes("/Paid", {"id": str})
        class A(GraphBusNode):
            SYSTEM_PROMPT = TEXT
            IS_ARBITER = True
            MODEL = "claude-x"
            SUBSCRIBE = ["/Tick"]

            @schema_method(input_schema={"sku": str, "qty": NotRequired[int]}, output_schema={"ok": bool})
            async def check(self, sku: str, /, qty: int = 1, *rest, loud=False, **more) -> dict:
                """Is it there?"""
                self.publish(TOPIC, {"sku": sku})

            @subscribe(TOPIC, "/Order/Changed")
            def on_order(self, event): ...

            def _private(self): ...
            def plain(self): ...
            @property
            def size(self): ...
            def propose(self, proposal): ...
        ''',
    )
    assert agent.system_prompt.text.strip() == "topic /Order/Created"
    assert agent.is_arbiter
    assert agent.metadata["model"] == "claude-x"
    assert agent.metadata["overrides"] == ["propose"]
    assert agent.depends_on == ("Store",)
    assert [m.name for m in agent.methods] == ["check", "on_order", "plain"]
    check = agent.methods[0]
    assert check.is_async
    assert check.description == "Is it there?"
    assert check.input_schema is not None
    assert list(check.input_schema.fields) == ["sku", "qty"]
    assert check.input_schema.required == {"sku"}
    assert check.input_schema.source == '{"sku": str, "qty": NotRequired[int]}'
    assert [(p.name, p.kind, p.default) for p in check.parameters] == [
        ("sku", "positional_only", None),
        ("qty", "positional_or_keyword", "1"),
        ("rest", "var_positional", None),
        ("loud", "keyword_only", "False"),
        ("more", "var_keyword", None),
    ]
    assert [(s.topic.name, s.handler_name) for s in agent.subscriptions] == [
        ("/Tick", "handle_event"),
        ("/Order/Created", "on_order"),
        ("/Order/Changed", "on_order"),
    ]
    assert [(p.topic.name, p.method, p.schema is not None) for p in agent.publications] == [
        ("/Paid", None, True),
        ("/Order/Created", "check", False),
    ]
    assert agent.source_code.startswith('@depends_on("Store")')
    assert agent.source_code.rstrip().endswith("def propose(self, proposal): ...")


def test_a_contract_of_the_name_of_a_voice_is_no_voice(tmp_path: Path) -> None:
    """A component that evaluates events does not judge proposals by it."""
    source = """
        from graphbus_core import GraphBusNode, schema_method

        class A(GraphBusNode):
            @schema_method
            def evaluate(self, event: str) -> dict[str, str]: ...
            def commit(self, proposal): ...
    """
    agent = one(tmp_path, source)
    assert agent.metadata["overrides"] == ["commit"]
    assert [m.name for m in agent.methods] == ["evaluate"]


def test_contracts_are_read_through_names(tmp_path: Path) -> None:
    """TypedDicts and dataclasses of other modules, aliases, constants, a decorator kept under a name."""
    folder = write(
        tmp_path,
        {
            "shop/__init__.py": "",
            "shop/types.py": """
                from dataclasses import dataclass
                from typing import TypedDict
                class Item(TypedDict, total=False):
                    name: str
                @dataclass
                class Order:
                    items: list[Item]
                    note: str = ""
                """,
            "agents/a.py": """
                import graphbus_core as gb
                from shop import types as t
                from shop.types import Order
                CONTRACT = {"order": Order}
                priced = gb.schema_method(output_schema={"price": float})
                class A(gb.GraphBusNode):
                    class Local(t.Item):
                        size: int
                    @gb.schema_method(CONTRACT, {"items": list[Local]})
                    def take(self, order): ...
                    @priced
                    def price(self): ...
                """,
        },
    )
    agent = scan(folder).agents[0]
    take, price = agent.methods
    assert take.input_schema is not None
    assert take.input_schema.fields["order"]["properties"]["items"]["items"]["properties"] == {
        "name": {"type": "string"}
    }
    assert take.input_schema.source == "CONTRACT"
    assert take.output_schema is not None
    assert set(take.output_schema.fields["items"]["items"]["properties"]) == {"name", "size"}
    assert price.output_schema is not None
    assert price.input_schema is None


def test_methods_and_attributes_are_inherited_as_python_does(tmp_path: Path) -> None:
    """The method resolution order decides; an override without a decorator keeps the contract."""
    folder = write(
        tmp_path,
        {
            "base.py": """
                from graphbus_core import GraphBusNode, schema_method, subscribe
                class Base(GraphBusNode):
                    SYSTEM_PROMPT = "base"
                    SUBSCRIBE = {"/T": "on_t"}
                    @schema_method(output_schema={"n": int})
                    def kept(self): ...
                    @schema_method(output_schema={"n": int})
                    def overridden(self): ...
                    @subscribe("/U")
                    def on_u(self, payload): ...
                """,
            "agents/a.py": """
                from base import Base
                class Mixin:
                    SYSTEM_PROMPT = "mixin"
                class A(Mixin, Base):
                    def overridden(self): ...
                """,
        },
    )
    project = scan(folder)
    assert names(project) == ["A"]
    agent = project.agents[0]
    assert agent.system_prompt.text == "mixin"
    kept, overridden = agent.method("kept"), agent.method("overridden")
    assert kept is not None
    assert kept.output_schema is not None
    assert kept.metadata["inherited_from"] == {"module": "base", "class_name": "Base", "source_file": "base.py"}
    assert overridden is not None
    assert overridden.output_schema is not None
    assert overridden.lineno == 6
    assert [(s.topic.name, s.handler_name) for s in agent.subscriptions] == [("/T", "on_t"), ("/U", "on_u")]


def test_type_hints_that_name_nodes_are_dependencies(tmp_path: Path) -> None:
    """In signatures, as strings and inside generics; other classes are none."""
    agent = one(
        tmp_path,
        """
        from __future__ import annotations
        from typing import Optional
        from graphbus_core import GraphBusNode
        class B(GraphBusNode): ...
        class C(GraphBusNode): ...
        class D(GraphBusNode): ...
        class Plain: ...
        class A(GraphBusNode):
            peer: "Optional[B]" = None
            def __init__(self, bus=None, memory=None): ...
            def f(self, c: list[C], p: Plain, me: A) -> "D | None": ...
        """,
    )
    assert set(agent.depends_on) == {"B", "C", "D"}
    assert set(agent.metadata["hinted"]) == {"B", "C", "D"}


def test_what_only_an_import_can_tell_is_imported_in_a_child(tmp_path: Path) -> None:
    """Computed contracts, topics and prompts; this process never imports the file."""
    folder = write(
        tmp_path,
        {
            "agents/computed_things.py": """
                import os
                from graphbus_core import GraphBusNode, publishes, schema_method, subscribe
                print("noise")
                FIELDS = {f"f{n}": int for n in range(2)}
                def topic(name): return "/" + name
                class A(GraphBusNode):
                    SYSTEM_PROMPT = "pid %s" % ("x" * 3)
                    @schema_method(input_schema=FIELDS, output_schema={"known": str})
                    def f(self, f0, f1): ...
                    @subscribe(topic("T"))
                    def on(self, payload): ...
                    @publishes("/P", FIELDS)
                    def g(self): ...
                if os.sep == "?":
                    class Never(GraphBusNode): ...
                else:
                    class Always(GraphBusNode): ...
                """
        },
    )
    project = scan(folder)
    assert names(project) == ["A", "Always"]
    agent = project.agents[0]
    f = agent.method("f")
    assert f is not None
    assert f.input_schema is not None
    assert f.output_schema is not None
    assert list(f.input_schema.fields) == ["f0", "f1"]
    assert f.output_schema.source == '{"known": str}'
    assert agent.system_prompt.text == "pid xxx"
    assert [(s.topic.name, s.handler_name) for s in agent.subscriptions] == [("/T", "on")]
    assert [(p.topic.name, p.schema is not None) for p in agent.publications] == [("/P", True)]
    assert not any("computed_things" in name for name in sys.modules)


def test_a_contract_that_changes_in_place_is_not_read_as_first_written(tmp_path: Path) -> None:
    """`FIELDS["b"] = int` after the fact: the child tells."""
    agent = one(
        tmp_path,
        NODE
        + "from graphbus_core import schema_method\nF = {'a': int}\nF['b'] = str\n"
        + "class A(GraphBusNode):\n    @schema_method(input_schema=F)\n    def f(self, a, b): ...\n",
    )
    f = agent.method("f")
    assert f is not None
    assert f.input_schema is not None
    assert set(f.input_schema.fields) == {"a", "b"}


def test_when_neither_tells_the_scan_fails_and_says_both(tmp_path: Path) -> None:
    """File, line, what is open, and what the import said."""
    folder = write(
        tmp_path,
        {
            "agents/a.py": NODE
            + "import nowhere\nfrom graphbus_core import schema_method\nclass A(GraphBusNode):\n"
            + "    @schema_method(input_schema=nowhere.fields())\n    def f(self): ...\n"
        },
    )
    with pytest.raises(ScanError, match=r"agents/a\.py:5 A cannot be read.*No module named 'nowhere'"):
        scan(folder)


BROKEN = {
    "syntax": (b"x = 1\ndef f(:\n  pass\n", r"agents/bad\.py:2 cannot be read: invalid syntax"),
    "indent": (b"if 1:\nx = 2\n", r"agents/bad\.py:2 cannot be read: expected an indented block"),
    "null byte": (b"x = 1\ny = '\0'\n", r"agents/bad\.py:2 cannot be read: .*null byte"),
    "not utf-8": (b"x = 1\nname = '\xff\xfe'\n", r"agents/bad\.py.* cannot be read: .*utf-8"),
    "unknown encoding": (b"# coding: klingon\nx = 1\n", r"agents/bad\.py.* cannot be read: .*klingon"),
    "too deep": (b"x = " + b"(" * 5000 + b")" * 5000, r"agents/bad\.py"),
}


def test_what_a_link_out_of_the_project_leads_to_is_not_shown(tmp_path: Path) -> None:
    """It may be a file of secrets that somebody else's project points at."""
    (tmp_path / "netrc").write_text("machine x password (s3cret\n")
    folder = write(tmp_path / "project", {"agents/a.py": NODE + "class A(GraphBusNode): ..."})
    (folder / "bad.py").symlink_to(tmp_path / "netrc")
    with pytest.raises(ScanError, match=r"agents/bad\.py is a link that leads out of the project") as told:
        scan(folder)
    assert "s3cret" not in str(told.value)


@pytest.mark.parametrize("kind", BROKEN)
def test_a_file_that_cannot_be_read_fails_the_scan(tmp_path: Path, kind: str) -> None:
    """Named with line and reason, also when it holds no agent; never dropped in silence."""
    content, message = BROKEN[kind]
    folder = write(tmp_path, {"agents/a.py": NODE + "class A(GraphBusNode): ..."})
    (folder / "bad.py").write_bytes(content)
    with pytest.raises(ScanError, match=message):
        scan(folder)
    assert names(scan(folder, exclude=["bad.py"])) == ["A"]


ODD = {
    "bom": b"\xef\xbb\xbfX = 1\nfrom graphbus_core import GraphBusNode\nclass A(GraphBusNode):\n    P = '\xc3\xa9'\n",
    "latin-1": b"# coding: latin-1\nfrom graphbus_core import GraphBusNode\nclass A(GraphBusNode):\n    P = '\xe9'\n",
    "crlf": b"from graphbus_core import GraphBusNode\r\nclass A(GraphBusNode):\r\n    P = '\xc3\xa9'\r\n",
    "form feed": b"from graphbus_core import GraphBusNode\n\x0c\nclass A(GraphBusNode):\n    P = '\xc3\xa9'\n",
    "tabs": b"from graphbus_core import GraphBusNode\nclass A(GraphBusNode):\n\tP = '\xc3\xa9'\n",
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_files_are_read_as_python_reads_them(tmp_path: Path, kind: str) -> None:
    """Byte order marks, encodings, line endings; what is frozen is the file's own bytes."""
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "a.py").write_bytes(ODD[kind])
    project = scan(tmp_path / "agents")
    assert project.agents[0].source_code.endswith("P = 'é'")
    assert project.agents[0].source_code.startswith("class A")
    assert project.sources["agents/a.py"] == ODD[kind]


def test_two_classes_of_one_name_are_told_apart(tmp_path: Path) -> None:
    """Both get the name of their module, in whatever refers to them too."""
    folder = write(
        tmp_path,
        {
            "agents/x.py": NODE
            + "from graphbus_core import subscribe\nclass A(GraphBusNode):\n    SUBSCRIBE = ['/T']\n",
            "agents/y.py": NODE
            + "from graphbus_core import depends_on\nfrom agents.x import A as Other\n"
            + "@depends_on(Other)\nclass A(GraphBusNode): ...",
        },
    )
    project = scan(folder)
    assert names(project) == ["agents.x.A", "agents.y.A"]
    assert project.agents[0].subscriptions[0].node_name == "agents.x.A"
    assert project.agents[1].depends_on == ("agents.x.A",)


def test_include_and_exclude(tmp_path: Path) -> None:
    """Globs on paths, on names, on folders, on dotted modules."""
    folder = write(
        tmp_path,
        {
            "agents/__init__.py": "",
            "agents/a.py": NODE + "class A(GraphBusNode): ...",
            "agents/sub/__init__.py": "",
            "agents/sub/b.py": NODE + "class B(GraphBusNode): ...",
            "agents/sub/c_old.py": NODE + "class C(GraphBusNode): ...",
            "agents/.hidden/h.py": "syntax error(",
            "agents/venv/pyvenv.cfg": "",
            "agents/venv/v.py": "syntax error(",
        },
    )

    def found(include: Any = None, exclude: Any = None) -> str:
        return "".join(names(scan(folder, include, exclude)))

    assert found() == "ABC"
    assert found(include=["agents/*.py"]) == "A"
    assert found(include=["*.py"]) == "ABC"
    assert found(include=["agents/**/*.py"]) == "ABC"
    assert found(include=["sub"]) == "BC"
    assert found(include=["agents.sub.*"]) == "BC"
    assert found(include=["agents.sub"]) == "BC"
    assert found(exclude=["*_old.py"]) == "AB"
    assert found(exclude=["agents.sub"]) == "A"
    assert found(include=["agents.*"], exclude=["agents.sub.c_old"]) == "AB"
    with pytest.raises(ScanError, match="No agents found"):
        found(include=["nothing*"])


def test_a_dotted_package_is_found_without_importing_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the working directory and on sys.path."""
    write(
        tmp_path,
        {
            "my_project/__init__.py": "raise RuntimeError('imported')",
            "my_project/agents/__init__.py": "",
            "my_project/agents/a.py": NODE + "from my_project.shared import X\nclass A(GraphBusNode): ...",
            "my_project/shared.py": "X = 1",
        },
    )
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    with pytest.raises(ScanError, match=r"no package 'my_project\.agents'"):
        scan("my_project.agents")
    monkeypatch.syspath_prepend(str(tmp_path))
    project = scan("my_project.agents")
    assert (project.root, project.agents[0].module) == (tmp_path, "my_project.agents.a")
    assert project.agents[0].source_file == "my_project/agents/a.py"
    assert "my_project" not in sys.modules
    monkeypatch.chdir(tmp_path)
    assert scan("my_project.agents.a").agents == project.agents


def test_the_project_s_own_modules_are_frozen_and_nothing_else(tmp_path: Path) -> None:
    """Transitively, also imports inside functions and packages' `__init__`; not what nobody imports."""
    folder = write(
        tmp_path,
        {
            "agents/a.py": NODE
            + "import lib.deep.thing\nimport json, yaml\ndef f():\n    from . import late\nclass A(GraphBusNode): ...",
            "agents/late.py": "from other import x",
            "agents/unused.py": "x = 1",
            "lib/__init__.py": "",
            "lib/deep/thing.py": "from ..sibling import y",
            "lib/sibling.py": "y = 1",
            "other.py": "x = 2",
            "yaml_like.py": "",
        },
    )
    project = scan(folder)
    assert sorted(project.sources) == [
        "agents/a.py",
        "agents/late.py",
        "lib/__init__.py",
        "lib/deep/thing.py",
        "lib/sibling.py",
        "other.py",
    ]
    assert {m.name: (m.file, m.is_package) for m in project.modules} == {
        "agents": (None, True),
        "agents.a": ("agents/a.py", False),
        "agents.late": ("agents/late.py", False),
        "lib": ("lib/__init__.py", True),
        "lib.deep": (None, True),
        "lib.deep.thing": ("lib/deep/thing.py", False),
        "lib.sibling": ("lib/sibling.py", False),
        "other": ("other.py", False),
    }
    assert "agents/unused.py" in project.files


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("nope", "no folder and no package 'nope'"),
        ("no/such/folder", "no folder no/such/folder"),
        ("notes.txt", r"not a Python file"),
        ("empty", "holds no Python files"),
        ("plain", "1 Python file read, and no class inherits from GraphBusNode"),
    ],
)
def test_what_cannot_be_scanned_is_said_in_one_paragraph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str, message: str
) -> None:
    """No such folder, no agents."""
    write(tmp_path, {"plain/x.py": "class A: ...", "notes.txt": "hello"})
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ScanError, match=message) as raised:
        scan(target)
    assert "\n" not in str(raised.value)


def test_a_scan_of_a_copy_reads_only_what_changed(tmp_path: Path) -> None:
    """The gates of a commit scan a scratch copy; every dependency of a reading counts, also one that appears."""
    files = {
        "agents/a.py": "from base import B\nclass A(B): ...",
        "agents/b.py": NODE + "class Other(GraphBusNode): ...",
        "base.py": NODE + "class B(GraphBusNode):\n    SYSTEM_PROMPT = 'one'\n",
    }
    first = scan(write(tmp_path / "one", files))
    changed = {**files, "base.py": files["base.py"].replace("one", "two"), "agents/base2.py": ""}
    write(tmp_path / "two", changed)
    second = first.rescan(tmp_path / "two")
    assert second.root == tmp_path / "two"
    assert [a.system_prompt.text for a in second.agents] == ["two", ""]
    assert second.agents[1] == first.agents[1]
    assert first.rescan().agents == first.agents


def test_the_cache_on_disk_gives_what_a_scan_gives(tmp_path: Path) -> None:
    """Cold, warm, after an edit, and with a cache that is nonsense."""
    files = {
        "agents/a.py": "from agents.base import B\nclass A(B):\n    SYSTEM_PROMPT = 'tab\\t \u2028 é'\n",
        "agents/base.py": NODE + "class B(GraphBusNode):\n    X = 1\n",
    }
    folder = write(tmp_path, files)
    cache = tmp_path / "cache.jsonl"
    cold = scan(folder, cache_file=cache)
    assert cache.exists()
    warm = scan(folder, cache_file=cache)
    assert warm.agents == cold.agents == scan(folder).agents
    assert warm.files == cold.files
    (folder / "base.py").write_text(files["agents/base.py"] + "    SYSTEM_PROMPT = 'b'\n")
    assert scan(folder, cache_file=cache).agents == scan(folder).agents
    whole = cache.read_bytes()
    for nonsense in (b"", b"\xff\xfe", whole[: len(whole) // 2], whole.replace(b"\t", b" "), whole + b"\n{"):
        cache.write_bytes(nonsense)
        assert scan(folder, cache_file=cache).agents == scan(folder).agents


def test_json_schemas_are_contracts_too(tmp_path: Path) -> None:
    """Written out, under a name, and computed."""
    agent = one(
        tmp_path,
        NODE
        + dedent(
            """
            from graphbus_core import schema_method
            OUT = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
            class A(GraphBusNode):
                @schema_method(input_schema={"type": "object", "properties": {}}, output_schema=OUT)
                def f(self): ...
                @schema_method(input_schema=dict(OUT), output_schema={"type": str})
                def g(self): ...
            """
        ),
    )
    sides = [(m.input_schema, m.output_schema) for m in agent.methods]
    assert [[list(s.fields) if s else None for s in pair] for pair in sides] == [[[], ["n"]], [["n"], ["type"]]]


def test_a_contract_that_means_nothing_is_named_and_undeclared(tmp_path: Path) -> None:
    """The build goes on; the author is told where and why."""
    agent = one(
        tmp_path,
        NODE
        + dedent(
            """
            from graphbus_core import schema_method
            class Plain: ...
            class A(GraphBusNode):
                @schema_method(input_schema={"x": 3}, output_schema={"n": int})
                def f(self, x): ...
            """
        ),
    )
    f = agent.method("f")
    assert f is not None
    assert f.input_schema is None
    assert f.output_schema is not None
    assert "3" in agent.metadata["unreadable"]["f input"]


def test_a_class_that_is_only_its_name_is_a_type_of_that_name(tmp_path: Path) -> None:
    """Its own classes and those of a library that is not installed; the rest of the contract is read as ever."""
    agent = one(
        tmp_path,
        NODE
        + dedent(
            """
            import frames.core as fr
            from graphbus_core import schema_method
            class Plain: ...
            class A(GraphBusNode):
                @schema_method(input_schema={"x": Plain, "n": int}, output_schema={"df": fr.DataFrame})
                def f(self, x, n): ...
            """
        ),
    )
    f = agent.method("f")
    assert f is not None
    assert f.input_schema is not None
    assert f.output_schema is not None
    assert f.input_schema.fields == {"x": {"x-python-type": "Plain"}, "n": {"type": "integer"}}
    assert f.output_schema.fields == {"df": {"x-python-type": "frames.DataFrame"}}


def test_the_child_has_data_files_and_no_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It runs in the sandbox, on a copy: what it writes is gone, what stands beside the module is there."""
    monkeypatch.setenv("SOME_API_KEY", "secret")
    folder = write(
        tmp_path,
        {
            "agents/fields.txt": "a b",
            "agents/a.py": """
                import os, pathlib
                from graphbus_core import GraphBusNode, schema_method
                HERE = pathlib.Path(__file__).parent
                FIELDS = {name: str for name in (HERE / "fields.txt").read_text().split()}
                FIELDS |= {"leaked": str} if "SOME_API_KEY" in os.environ else {}
                (HERE / "fields.txt").write_text("changed")
                class A(GraphBusNode):
                    @schema_method(input_schema=FIELDS)
                    def f(self, a, b): ...
                """,
        },
    )
    f = scan(folder).agents[0].methods[0]
    assert f.input_schema is not None
    assert list(f.input_schema.fields) == ["a", "b"]
    assert (folder / "fields.txt").read_text() == "a b"


@pytest.mark.parametrize("lie", ["[]", "{}", '{"agents.a": 1}', '{"agents.a": {"classes": {"A": {}}}}'])
def test_a_child_that_answers_nonsense_is_an_error_like_any_other(tmp_path: Path, lie: str) -> None:
    """The project's own code could write the answer; it is checked, not believed."""
    folder = write(
        tmp_path,
        {
            "agents/a.py": f"""
                import json, os, sys
                with open(sys.argv[1]) as f:
                    answer = json.load(f)["answer"]
                with open(answer, "w") as f:
                    f.write({lie!r})
                os._exit(0)
                from graphbus_core import GraphBusNode
                class A(GraphBusNode):
                    SYSTEM_PROMPT = os.sep * 3
                """,
        },
    )
    with pytest.raises(ScanError, match=r"agents/a\.py:\d+ A cannot be read"):
        scan(folder)


def test_modules_that_are_imported_by_a_name_in_the_source_are_found():
    import ast

    from graphbus_core.analysis.scan.modules import find_dynamic_imports

    source = """
import importlib
from importlib import import_module as load
load("a.b"); importlib.import_module(".c", __package__); importlib.import_module("..d", package="x.y")
__import__("e", fromlist=["f", name]); __import__("g"); load(name); load(3); other("h")
importlib.import_module(".", "z")
"""
    assert list(find_dynamic_imports(ast.parse(source), "p.q")) == ["a.b", "p.q.c", "x.d", "e", "e.f", "g", "z"]
