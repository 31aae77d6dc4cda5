"""What a build says of a run, without running anything: denied moves, arguments that nobody provides."""

import textwrap

import pytest

from graphbus_core.analysis.scan import scan
from graphbus_core.runtime.injection.policy import Policy
from graphbus_core.runtime.injection.static_checks import find_calls, find_refusals, find_unprovided

NODES = '''
    from __future__ import annotations

    import sqlite3
    from typing import Optional

    from graphbus_core import GraphBusNode, publishes, subscribe


    class Plain(GraphBusNode):
        SYSTEM_PROMPT = "p"

        def __init__(self, bus=None, memory=None):
            super().__init__(bus, memory)


    @publishes("/Made/Once", {"n": int})
    class Wants(GraphBusNode):
        SYSTEM_PROMPT = "w"

        def __init__(
            self, db: sqlite3.Connection, cache: Optional[dict] = None, *, clock, limit: "int | None" = 3
        ) -> None:
            self.db = db

        @subscribe("/Told")
        @publishes("/Made", {"n": int})
        def on_told(self, payload):
            """It says self.call("Not", "this") here."""
            self.publish("/Made", {"n": self.call("Plain", "count")})
            self.publish("/Secret", {})
            return self.nodes.Plain.drop(all=True)

        async def later(self):
            node = "Plain"
            await self.acall(node, "unseen")
            return await self.anodes.Plain.look()
'''


@pytest.fixture
def agents(tmp_path):
    folder = tmp_path / "agents"
    folder.mkdir()
    (folder / "nodes.py").write_text(textwrap.dedent(NODES).lstrip())
    return {agent.name: agent for agent in scan(tmp_path).agents}


def line_of(text):
    return 1 + next(i for i, one in enumerate(textwrap.dedent(NODES).lstrip().splitlines()) if text in one)


def test_calls_are_read_with_their_lines(agents):
    """Written out as text or as attributes; not in a docstring, and not what a variable says."""
    assert sorted(find_calls(agents["Wants"])) == [
        ("Plain.count", line_of('"count"')),
        ("Plain.drop", line_of("drop(")),
        ("Plain.look", line_of("look()")),
    ]
    assert list(find_calls(agents["Plain"])) == []


def test_the_policy_is_held_against_what_is_written(agents):
    """Calls, publications and subscriptions, each once, with file, line and rule."""
    rule = {"name": "little", "who": "W*", "call": ["Plain.count"], "publish": ["/Made/**"], "hear": ["/Other"]}
    found = {
        (one.where.rpartition("/")[2], one.why.split(":")[0]) for one in find_refusals(agents.values(), Policy([rule]))
    }
    assert found == {
        (f"nodes.py:{line_of('drop(')}", "Wants may not call Plain.drop"),
        (f"nodes.py:{line_of('look()')}", "Wants may not call Plain.look"),
        (f"nodes.py:{line_of('/Secret')}", "Wants may not publish to /Secret"),
        (f"nodes.py:{line_of('class Wants')}", "Wants may not subscribe to /Told"),
    }
    assert list(find_refusals(agents.values(), Policy())) == []


@pytest.mark.parametrize(
    ("factories", "provide", "lacking"),
    [
        ("", [], "db: Connection"),
        ("def db() -> sqlite3.Connection: ...", ["made:db"], "clock"),
        ("def db() -> Iterator[sqlite3.Connection]: ...", ["made:db", "clock=time:time"], None),
        ("async def db() -> AsyncGenerator[Connection, None]: ...", ["made:db", "clock=time:time"], None),
        ("def db() -> Connection | None: ...", ["made:db", "clock=time:time"], None),
        ("class Connection: ...", ["made:Connection", "clock=time:time"], None),
        ("def db() -> OtherConnection: ...", ["made:db", "clock=time:time"], "db: Connection"),
        ("", ["db=made:anything", "clock=time:time"], None),
        ("", ["sqlite3.Connection=made:anything", "clock=time:time"], None),
    ],
)
def test_a_constructor_argument_that_nobody_provides(agents, tmp_path, factories, provide, lacking):
    """Factories are read, not imported: the first line of this one would raise."""
    (tmp_path / "made.py").write_text(f"raise RuntimeError('imported')\n{factories}\n")
    found = [str(one) for one in find_unprovided(agents.values(), provide, tmp_path)]
    if lacking is None:
        assert found == []
        return
    (one,) = found
    assert one.startswith("agents/nodes.py:")
    assert f"wants {lacking}" in one


def test_a_field_that_a_dataclass_wants_is_an_argument_of_its_constructor(tmp_path):
    """`@dataclass` writes the `__init__`: what has no default must be given, what is the class's own is none."""
    (tmp_path / "nodes.py").write_text(
        "import typing\nfrom dataclasses import dataclass, field\nfrom graphbus_core import GraphBusNode\n\n\n"
        "@dataclass\nclass Shop(GraphBusNode):\n    db: dict\n    bus: object\n    kinds: typing.ClassVar[a.B]\n"
        "    size: int = 3\n    tags: list = field(default_factory=list)\n\n"
        "    def go(self):\n        return 1\n"
    )
    (one,) = find_unprovided(scan(tmp_path).agents, [], tmp_path)
    assert str(one).startswith(f"{one.where}: its __init__ wants db: dict (")
    assert one.why.count("wants") == 1
    assert list(find_unprovided(scan(tmp_path).agents, ["db=made:db"], tmp_path)) == []


def test_a_factory_that_cannot_be_read_may_give_anything(agents, tmp_path):
    """In an installed package, without a return annotation, in a file that is not Python."""
    (tmp_path / "made.py").write_text("def db(): ...\n")
    (tmp_path / "odd.py").write_text("def db( -> :\n")
    for text in ("installed.package:make", "made:db", "made:missing", "odd:db"):
        assert list(find_unprovided(agents.values(), [text], tmp_path)) == []
