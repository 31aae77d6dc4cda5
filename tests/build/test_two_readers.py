"""Two readers, one model: what the static reader reads of a class is what an import says it declares."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings, strategies as st

from graphbus_core.analysis.scan import child, scan
from graphbus_core.model.agent_def import AgentDefinition

HEAD = """
import dataclasses, enum, typing as t
from typing import *
import graphbus_core as gb
from graphbus_core import GraphBusNode, depends_on, publishes, schema_method as sm, subscribe

class Size(enum.StrEnum):
    BIG = "big"
    SMALL = "small"

class Item(TypedDict):
    name: str
    size: NotRequired[Size]

@dataclasses.dataclass
class Box:
    items: list[Item]
    note: str | None = None

class Topics:
    NEWS = "/News"

SHARED = {"a": int, "box": Box}
PREFIX = "/Made"
Base = GraphBusNode
bound = sm(input_schema={"bound": bool})

class Parent(Base):
    SYSTEM_PROMPT = "parent"
    SUBSCRIBE = [Topics.NEWS]
    @sm(output_schema={"p": int})
    @subscribe("/Parent")
    def inherited(self, payload): ...
    @sm({"x": int}, {"y": int})
    def shadowed(self, x): ...
"""

CONTRACTS = [
    "None",
    "{}",
    "{'a': str, 'b': NotRequired[int]}",
    "{'a': 'int', \"b\": 'Optional[Item]'}",
    "{'n': Annotated[int, 'a number'], 'm': t.Literal['x', 2, None]}",
    "{'items': list[Item], 'by': dict[str, Box], 'pair': tuple[int, str], 'any': Any}",
    "{'deep': {'deeper': {'x': float | None}}}",
    "SHARED",
    "Item",
    "Box",
    "{**SHARED, 'more': bytes}",
    "{'s': Size, 'u': Union[int, str], 'set': set[int], 'l': list}",
    "dict(a=int, b=str)",
    "{'type': 'object', 'properties': {'q': {'type': 'integer'}}}",
]
TOPICS = ["'/T'", "Topics.NEWS", "PREFIX + '/X'", "f'{PREFIX}/Y'", "'/A', '/B'"]
PROMPTS = [
    "'plain'",
    "'two ' 'parts'",
    "PREFIX",
    "'''\n    long\n    '''",
    "f'{PREFIX} é'",
    "'a' + 'b'",
    "' x '.strip()",
]

HINTS = [
    "self, *a",
    "self, *a",
    "self, a: int, b: 'Item | None' = None, *rest) -> Box",
    "self, payload: Item) -> dict",
    "self, a, b: list[Item] = ()) -> list[Item]",
    "self, event: gb.Event) -> None",
    "self, event: 'Event') -> dict[str, Any]",
    "self, topic: str, payload: Item) -> Optional[Item]",
    "self, order: 'Box', more: int = 0) -> None",
    "self, payload: list[Item]) -> None",
    "self, payload: t.Mapping[str, Any] | None = None) -> None",
    "self, *, k: t.Literal['x'], **more: int) -> dict[str, int]",
    "self, x: Any) -> list | None",
    "self, a: int, /, b: int) -> Annotated[int, 'a number']",
    "self, n: Annotated[int, 'a number'] = 3) -> 'Union[Item, Box]'",
    "self, s: str = None) -> set[int]",
]

contracts, topics = st.sampled_from(CONTRACTS), st.sampled_from(TOPICS)


@st.composite
def methods(draw: st.DrawFn) -> str:
    """One method with any decorators."""
    name = draw(st.sampled_from(["f", "g", "shadowed", "inherited", "_h"]))
    lines = draw(
        st.permutations(
            [
                *draw(
                    st.lists(
                        st.one_of(
                            st.builds("@sm({}, {})".format, contracts, contracts),
                            st.builds("@gb.schema_method(output_schema={})".format, contracts),
                            st.sampled_from(
                                ["@bound", "@sm", "@gb.contract", "@sm()", "@gb.schema_method(description='d')"]
                            ),
                        ),
                        max_size=1,
                    )
                ),
                *draw(st.lists(st.builds("@subscribe({})".format, topics), max_size=2)),
                *draw(st.lists(st.builds("@publishes('/P', {})".format, contracts), max_size=1)),
                *draw(st.lists(st.sampled_from(["@depends_on('Parent.inherited')", "@depends_on('X')"]), max_size=1)),
            ]
        )
    )
    hints = draw(st.sampled_from(HINTS))
    return "\n".join(f"    {line}" for line in [*lines, f"def {name}({hints}{'' if ')' in hints else ')'}: ..."])


@st.composite
def classes(draw: st.DrawFn) -> str:
    """One node class."""
    decorators = draw(
        st.lists(
            st.sampled_from(["@depends_on('Parent')", "@depends_on('Other', 'X')", "@publishes('/C', Item)"]),
            max_size=2,
        )
    )
    body = draw(
        st.lists(
            st.one_of(
                st.builds("    SYSTEM_PROMPT = {}".format, st.sampled_from(PROMPTS)),
                st.sampled_from(
                    [
                        "    IS_ARBITER = True",
                        "    MODEL = 'gpt' + '-x'",
                        "    SUBSCRIBE = ['/S', Topics.NEWS]",
                        "    SUBSCRIBE = {'/S': 'f'}",
                    ]
                ),
                methods(),
            ),
            max_size=6,
        )
    )
    base = draw(st.sampled_from(["GraphBusNode", "gb.GraphBusNode", "Base", "Parent"]))
    return "\n".join([*decorators, f"class A({base}):", "    X = 1", *body])


def _said(agent: AgentDefinition) -> dict[str, Any]:
    """What the static reader says, in the words of the child."""

    def schema(one: Any) -> Any:
        return one.json_schema if one else None

    declared = [need for need in agent.depends_on if need not in agent.metadata["hinted"]]
    return {
        "methods": {
            m.name: {
                "input": schema(m.input_schema),
                "output": schema(m.output_schema),
                "depends_on": list(m.depends_on),
                "payload": m.payload_parameter,
            }
            for m in agent.methods
            if m.input_schema or m.output_schema or m.depends_on
        },
        "subscriptions": sorted([s.topic.name, s.handler_name] for s in agent.subscriptions),
        "publications": sorted(([p.topic.name, schema(p.schema), p.method] for p in agent.publications), key=repr),
        "depends_on": declared,
        "prompt": agent.system_prompt.text,
        "is_arbiter": agent.is_arbiter,
        "model": agent.metadata["model"],
    }


def _declared(live: Mapping[str, Any]) -> dict[str, Any]:
    """What the import says, in the same words."""

    def schema(told: Any) -> Any:
        return told["schema"] if told else None

    return {
        "methods": {
            name: {
                "input": schema(m["input"]),
                "output": schema(m["output"]),
                "depends_on": m["depends_on"],
                "payload": m["payload_parameter"],
            }
            for name, m in live["methods"].items()
            if m["input"] or m["output"] or m["depends_on"]
        },
        "subscriptions": sorted(live["subscriptions"]),
        "publications": sorted(([t, schema(p), m] for t, p, m in live["publications"]), key=repr),
        "depends_on": live["depends_on"],
        "prompt": live["prompt"]["text"],
        "is_arbiter": live["is_arbiter"],
        "model": live["model"],
    }


@settings(
    max_examples=5,
    deadline=None,
    derandomize=True,
    phases=(Phase.generate,),  # shrinking forty files takes minutes and tells no more than the class that is named
    suppress_health_check=list(HealthCheck),
)
@given(st.lists(classes(), min_size=40, max_size=40))
def test_the_static_reader_says_what_an_import_says(tmp_path_factory: Any, written: list[str]) -> None:
    """200 classes of every shape that authors use; each with every feature read by both readers."""
    root: Path = tmp_path_factory.mktemp("two")
    (root / "agents").mkdir()
    names = [f"m{n:02}" for n in range(len(written))]
    for name, text in zip(names, written, strict=True):
        (root / "agents" / f"{name}.py").write_text(f"{HEAD}\n{text}\n", "utf-8")
    question = root / "question.json"
    modules = {f"agents.{name}": ["A"] for name in names}
    question.write_text(
        json.dumps({"path": [str(root), *sys.path], "modules": modules, "answer": str(root / "answer.json")})
    )
    subprocess.run([sys.executable, str(child.__file__), str(question)], check=True, cwd=root)
    answers = json.loads((root / "answer.json").read_text())
    by_module = {a.module: a for a in scan(root / "agents").agents if a.class_name == "A"}
    for module, text in zip(modules, written, strict=True):
        assert "error" not in answers[module], text
        agent = by_module[module]
        assert "imported" not in agent.metadata, text  # all of this can be read from source
        live = _declared(answers[module]["classes"]["A"])
        said = _said(agent)
        for part in said:
            assert _normal(said[part], agent.name) == _normal(live[part], "A"), f"{part} of\n{text}"


def _normal(value: Any, name: str) -> str:
    return json.dumps(value, sort_keys=True).replace(name, "A")
