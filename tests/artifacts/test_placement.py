"""Which nodes run in one place: told from the source, with the line, and through bases in other modules."""

from textwrap import dedent

import pytest

from graphbus_core.artifacts.placement import SingleProcess, analyze_agents
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.prompt import SystemPrompt
from tests.artifacts.placement_sources import ALONE, HIDDEN, SHARED


def agent(module="m", class_name="N", **metadata):
    return AgentDefinition("N", module, class_name, "m.py", "", SystemPrompt(""), metadata=metadata)


def found(source, **more):
    return analyze_agents([agent()], {"m": dedent(source), **{k: dedent(v) for k, v in more.items()}}.get).get("N")


@pytest.mark.parametrize("name", SHARED)
def test_a_node_that_only_works_on_what_it_is_given_is_shared(name):
    assert found(SHARED[name]) is None


@pytest.mark.parametrize("name", ALONE)
def test_a_node_that_keeps_something_runs_in_one_place_and_the_line_says_why(name):
    source, why = ALONE[name]
    one = found(source)
    assert one is not None
    assert one.why == why
    assert one.stored == (name in ("state", "memory", "a note"))


@pytest.mark.parametrize("name", HIDDEN)
def test_state_in_hiding_is_no_secret(name):
    assert found(HIDDEN[name]) is not None


def test_state_is_stored_wherever_get_state_stands():
    """Behind a method that changes something, too: that method was found first, and the state was not stored."""
    source = """
        class N:
            def hear(self, p):
                self.count += 1
            def get_state(self):
                return {"count": self.count}
    """
    assert found(source) == SingleProcess("it keeps state (get_state, m.py:5)", stored=True)


@pytest.mark.parametrize(
    "imported",
    ["from base import Base", "from .base import Base", "import base\nBase = None", "from base import Base as B"],
)
def test_what_a_base_does_counts(imported):
    """Of the same module or of another one of the project; a base from elsewhere does nothing that is known."""
    base = "class Base:\n    count = 0\n    def hear(self, p):\n        self.count += 1"
    bases = {"import base\nBase = None": "base.Base", "from base import Base as B": "B"}
    source = f"{imported}\nclass N({bases.get(imported, 'Base')}):\n    pass"
    assert found(source, base=base) == SingleProcess("hear changes self.count (base.py:4)")
    assert found(f"{base}\nclass N(Base):\n    pass") == SingleProcess("hear changes self.count (m.py:4)")
    unread = found("from elsewhere import Base\nclass N(Base):\n    pass")
    assert unread == SingleProcess("it is a elsewhere.Base, which is not read (m.py:2)")


def test_classes_that_inherit_from_themselves_end():
    assert found("class N(N):\n    pass") is None
    assert found("class A(N):\n    pass\nclass N(A):\n    pass") == SingleProcess("it is too large to be followed")


def test_functions_that_take_part_are_read_too():
    source = dedent("""
        SEEN = set()

        def plain(x):
            return x

        def hear(payload):
            SEEN.add(payload)
    """)
    method = type("Method", (), {"name": "hear"})()
    one = AgentDefinition(
        "m", "m", "m", "m.py", "", SystemPrompt(""), methods=(method,), metadata={"plain": "functions"}
    )
    assert analyze_agents([one], {"m": source}.get)["m"].why == "hear changes SEEN of its module (m.py:8)"


def test_a_counter_that_another_module_makes_is_kept_where_it_is_cleared():
    """Its keys are gone for the next event, which counts on them; without that, nobody reads it."""
    source = """
        import helper
        class N:
            def hear(self, p):
                helper._rows["a"] += 1
    """
    rows = '_rows = {"a": 0}'
    assert found(source, helper=rows) is None
    assert found(source + "                helper._rows.clear()", helper=rows) is not None
