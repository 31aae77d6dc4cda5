"""Which nodes run in one place: told from the source, with the line, and through bases in other modules."""

from textwrap import dedent

import pytest

from graphbus_core.artifacts.placement import SingleProcess, analyze_agents
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.prompt import SystemPrompt

SHARED = {
    "only made": """
        class N:
            def __init__(self):
                self.table = {}
            def on_start(self):
                self.table["a"] = 1
    """,
    "locals": """
        class N:
            def look(self, key):
                found = []
                found.append(self.table[key])
                rows = {}
                rows[key] = 1
                return found
    """,
    "what it is given": """
        class N:
            def hear(self, payload):
                self.bus.publish("/T", {})
                self.bus.x = 1
    """,
    "a variable of the module that is only read": """
        TABLE = {"a": 1}
        class N:
            def hear(self, payload):
                return TABLE[payload["x"]]
    """,
    "a local of the same name": """
        ROWS = []
        class N:
            def hear(self, payload):
                ROWS = []
                ROWS.append(1)
    """,
    "a cache that says so": """
        class N:
            SHARED = True
            def hear(self, payload):
                self.cache[payload["x"]] = 1
    """,
    "in a negotiation": """
        class N:
            def propose(self, seen):
                self.seen = seen
    """,
    "another object": """
        class N:
            def hear(self, payload):
                payload["x"] = 1
                payload.setdefault("y", []).append(2)
    """,
}
ALONE = {
    "an item": ("class N:\n    def hear(self, p):\n        self.rows[p] += 1", "hear changes self.rows (line 3)"),
    "a list": ("class N:\n    def hear(self, p):\n        self.all.append(p)", "hear changes self.all (line 3)"),
    "deep": ("class N:\n    def hear(self, p):\n        self.a.b['c'].d = p", "hear changes self.a (line 3)"),
    "state": ("class N:\n    def get_state(self):\n        return {}", "it keeps state (get_state, line 2)"),
    "a heap": (
        "class N:\n    def hear(self, p):\n        heappush(self.due, p)",
        "hear changes self.due (line 3)",
    ),
    "a number": ("class N:\n    def hear(self, p):\n        return next(self.ids)", "hear changes self.ids (line 3)"),
    "its class": ("class N:\n    def hear(self, p):\n        N.seen += 1", "hear changes self.seen (line 3)"),
    "deleted": ("class N:\n    def hear(self, p):\n        del self.rows[p]", "hear changes self.rows (line 3)"),
    "memory": (
        "class N:\n    def hear(self, p):\n        self.memory.state['x'] = p",
        "hear changes self.memory (line 3)",
    ),
    "a note": ("class N:\n    def hear(self, p):\n        self.memory.note(x=p)", "hear changes self.memory (line 3)"),
    "global": (
        "COUNT = 0\nclass N:\n    def hear(self, p):\n        global COUNT\n        COUNT += 1",
        "hear changes COUNT of its module (line 5)",
    ),
    "its module": (
        "from collections import deque\nROWS = deque()\nclass N:\n    def hear(self, p):\n        ROWS.append(p)",
        "hear changes ROWS of its module (line 5)",
    ),
    "said": ("class N:\n    SHARED = False", "it says SHARED = False"),
    "unreadable": ("class N(:", "its source cannot be read"),
}


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
    assert one.why.replace("self.self", "self") == why
    assert one.stored == (name in ("state", "memory", "a note"))


def test_state_is_stored_wherever_get_state_stands():
    """Behind a method that changes something, too: that method was found first, and the state was not stored."""
    source = """
        class N:
            def hear(self, p):
                self.count += 1
            def get_state(self):
                return {"count": self.count}
    """
    assert found(source) == SingleProcess("it keeps state (get_state, line 5)", stored=True)


@pytest.mark.parametrize(
    "imported",
    ["from base import Base", "from .base import Base", "import base\nBase = None", "from base import Base as B"],
)
def test_what_a_base_does_counts(imported):
    """Of the same module or of another one of the project; a base from elsewhere does nothing that is known."""
    base = "class Base:\n    def hear(self, p):\n        self.count += 1"
    bases = {"import base\nBase = None": "base.Base", "from base import Base as B": "B"}
    source = f"{imported}\nclass N({bases.get(imported, 'Base')}):\n    pass"
    assert found(source, base=base) == SingleProcess("hear changes self.count (line 3 of base)")
    assert found(f"{base}\nclass N(Base):\n    pass") == SingleProcess("hear changes self.count (line 3)")
    assert found("from elsewhere import Base\nclass N(Base):\n    pass") is None


def test_classes_that_inherit_from_themselves_end():
    assert found("class N(N):\n    pass") is None
    assert found("class A(N):\n    pass\nclass N(A):\n    pass") is None


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
    assert analyze_agents([one], {"m": source}.get)["m"].why == "hear changes SEEN of its module (line 8)"
