"""Links are what the code does: calls are links, a method that calls feeds itself, a guess is not a finding."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from graphbus_core.analysis.files import ProjectFiles
from graphbus_core.analysis.links import LinkResult, link_project
from graphbus_core.analysis.scan import scan
from graphbus_core.model.graph import Link
from tests.analysis.projects import HEAD, SHOP

IMPORT = "from agents.a import Clean, Load\n"


def linked(folder: Path, agents: str, files: dict[str, str] | None = None) -> LinkResult:
    """The links of a whole project."""
    (folder / "pyproject.toml").write_text("", "utf-8")
    for path, text in {"agents/a.py": HEAD + dedent(agents), **(files or {})}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(dedent(text), "utf-8")
    return link_project(scan(folder / "agents"))


def main(folder: Path, text: str, agents: str = SHOP) -> LinkResult:
    return linked(folder, agents, {"main.py": IMPORT + dedent(text)})


def told(found: LinkResult) -> list[tuple[str, str]]:
    return [(one.id, one.origin.value) for one in found.links]


def test_a_payload_handed_on_whole_is_checked_whole(tmp_path: Path) -> None:
    """`clean(**load())` is a link, and fails where a field is missing; the line is its evidence."""
    found = main(tmp_path, "r = Load().load(1)\nClean().clean(**r)\n")
    assert told(found) == [("Load.load => Clean.clean", "call")]
    (mismatch,) = found.mismatches
    assert mismatch.paths == ("qty",)
    assert mismatch.link.evidence == ("called at main.py:3",)
    assert found.findings == 1


@pytest.mark.parametrize(
    "text",
    [
        'r = Load().load(1)\nClean().clean(qty=r["quantity"], rows=r["rows"])\n',
        "r = Load().load(1)\nClean().clean(**r, qty=3)\n",
        'r = Load().load(1)\nr["qty"] = r.pop("quantity")\nClean().clean(**r)\n',
        'r = Load().load(1)\nClean().clean(qty=str(r["quantity"]), rows=[])\n',
        'r = Load().load(1)\nClean().clean(qty=r.get("nothing", 3), rows=[])\n',
        "Clean().clean(**{**Load().load(1), **{'qty': 1}})\n",
    ],
)
def test_code_that_hands_over_what_fits_is_no_finding(tmp_path: Path, text: str) -> None:
    """By fields, with what is missing given beside it, or something made of it."""
    found = main(tmp_path, text)
    assert told(found) == [("Load.load => Clean.clean", "call")]
    assert found.mismatches == ()


def test_fields_that_code_hands_over_are_checked_by_their_types(tmp_path: Path) -> None:
    """The type under one name must fit the other name's; a key that nobody sends is missing."""
    found = main(tmp_path, 'r = Load().load(1)\nClean().clean(qty=r["rows"], rows=r["row"])\n')
    assert found.links[0].feeds == (("row", "rows"), ("rows", "qty"))
    assert set(found.mismatches[0].paths) == {"qty", "rows"}


def test_a_condition_rules_out_what_the_contract_allows(tmp_path: Path) -> None:
    """`if r["n"] is not None` before the call: None is not a finding; without the condition it is."""
    agents = """
    class Load(GraphBusNode):
        @schema_method(output_schema={"n": "int | None"})
        def load(self): return {"n": 1}
    class Clean(GraphBusNode):
        @schema_method(input_schema={"n": int})
        def clean(self, n): ...
    """
    guarded = 'r = Load().load()\nif r["n"] is not None:\n    Clean().clean(**r)\n'
    assert main(tmp_path, guarded, agents).mismatches == ()
    early = 'def go():\n    r = Load().load()\n    if r["n"] is None:\n        return\n    Clean().clean(**r)\ngo()\n'
    assert main(tmp_path, early, agents).mismatches == ()
    assert len(main(tmp_path, "Clean().clean(**Load().load())\n", agents).mismatches) == 1


@pytest.mark.parametrize(
    "call", ["Load().load(1)", "self.loader.load(1)", 'self.call("Load", "load", x=1)', "make().load(1)"]
)
def test_a_method_that_calls_its_producer_is_fed_by_its_own_code(tmp_path: Path, call: str) -> None:
    """Declared on the class or on the method: what it takes is not what the producer gives."""
    agents = f"""
    class Load(GraphBusNode):
        @schema_method(input_schema={{"x": int}}, output_schema={{"rows": list}})
        def load(self, x): return {{"rows": []}}
    def make() -> Load:
        return Load()
    @depends_on("Load")
    class Report(GraphBusNode):
        def __init__(self):
            super().__init__()
            self.loader = Load()
        @depends_on("Load.load")
        @schema_method(input_schema={{"day": str}})
        def run(self, day):
            return {call}["rows"]
    """
    found = linked(tmp_path, agents)
    assert [(one.id, one.own) for one in found.links] == [("Load.load => Report.run", True)]
    assert (found.mismatches, found.guesses, found.ambiguous, found.unchecked) == ((), (), (), ())


def test_what_is_only_guessed_is_no_finding(tmp_path: Path) -> None:
    """A class dependency with one pairing is shown as a guess; a call makes it certain."""
    agents = SHOP.replace("class Clean", '@depends_on("Load")\nclass Clean')
    found = linked(tmp_path, agents)
    assert told(found) == [("Load.load => Clean.clean", "class")]
    assert (found.findings, len(found.guesses)) == (0, 1)
    assert found.to_dict()["guesses"][0]["link"]["origin"] == "class"
    certain = main(tmp_path, "Clean().clean(**Load().load(1))\n", agents)
    assert told(certain) == [("Load.load => Clean.clean", "call")]
    assert certain.findings == 1


JOIN = """
class A(GraphBusNode):
    @schema_method(output_schema={"sku": str, "kept": int})
    def get(self): return {"sku": "", "kept": 1}
class B(GraphBusNode):
    @schema_method(output_schema={"qty": int})
    def get(self): return {"qty": 1}
class C(GraphBusNode):
    DEPENDS
    @schema_method(input_schema={"sku": str, "qty": FIELD})
    def use(self, sku, qty): ...
"""


@pytest.mark.parametrize("declared", [True, False])
def test_two_producers_feed_one_consumer(tmp_path: Path, declared: bool) -> None:
    """By `@depends_on("A.get", "B.get")`, or by one call that takes from both: each gives its part."""
    agents = JOIN.replace("DEPENDS", '@depends_on("A.get", "B.get")' if declared else "").replace("FIELD", "int")
    call = "from agents.a import A, B, C\nC().use(**A().get(), **B().get())\n"
    found = linked(tmp_path, agents, {} if declared else {"main.py": call})
    assert [one.id for one in found.links] == ["A.get => C.use", "B.get => C.use"]
    assert found.mismatches == ()
    assert [one.beside for one in found.links] == [("qty",), ("sku",)]
    wrong = linked(tmp_path, agents.replace('"qty": int}', '"qty": str}', 1), {} if declared else {"main.py": call})
    assert [m.link.id for m in wrong.mismatches] == ["B.get => C.use"]


def test_a_field_that_no_joined_producer_gives_is_missed_once(tmp_path: Path) -> None:
    """By the one that has something left to offer."""
    agents = JOIN.replace("DEPENDS", '@depends_on("A.get", "B.get")').replace("FIELD", 'int, "wanted": int')
    (mismatch,) = linked(tmp_path, agents.replace("sku, qty", "sku, qty, wanted")).mismatches
    assert (mismatch.link.id, mismatch.paths) == ("A.get => C.use", ("wanted",))


def test_a_link_keeps_what_it_says_on_its_way_through_json(tmp_path: Path) -> None:
    """Also one of the first edition, which knows nothing of evidence."""
    one = main(tmp_path, "r = Load().load(1)\nif r:\n    Clean().clean(**r, qty=3)\n").links[0]
    assert (one.guarded, one.beside) == (True, ("qty",))
    assert Link.from_dict(one.to_dict()) == one
    old = {k: one.to_dict()[k] for k in ("producer", "consumer", "origin")}
    assert Link.from_dict(old).evidence == ()


def test_calls_in_tests_are_no_findings(tmp_path: Path) -> None:
    """A test may give what it wants; it is evidence, not a link of the program."""
    assert linked(tmp_path, SHOP, {"tests/test_a.py": IMPORT + "Clean().clean(**Load().load(1))\n"}).links == ()


def test_a_call_on_a_literal_is_no_call_of_the_projects_function(tmp_path: Path) -> None:
    """A file that says `", ".join(…)` alone is not read for a function `join`; one that calls that function is."""
    found = linked(
        tmp_path,
        SHOP,
        {
            "main.py": "def join(load, clean):\n    clean.clean(**load.load(1))\n",
            "other.py": IMPORT + "import main\nprint(', '.join('ab'), main.join(Load(), Clean()))\n",
            "words.py": "print(', '.join('ab'), b''.join([]), '''-'''.join('ab'))\n",
        },
    )
    assert told(found) == [("Load.load => Clean.clean", "call")]
    assert ProjectFiles(tmp_path).find_calling("join") == ["other.py", "words.py"]
    assert ProjectFiles(tmp_path).find_reaching("join") == ["other.py"]
