"""`contracts.toml`: contracts beside the code, read by every command, and written by `infer` where that is asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphbus_core.analysis.links import link_project
from graphbus_core.analysis.scan import scan
from graphbus_core.build import build_project
from graphbus_core.cli.main import main
from graphbus_core.config import BuildConfig
from graphbus_core.errors import GraphBusError
from graphbus_core.runtime import run_runtime
from graphbus_core.services.editor import LiveProject
from graphbus_core.testing import write_files

CONTRACTS = """\
[types.Order]
sku = "str"
quantity = "int"
"next?" = "Order"

["shop.cart:Cart.order"]
input = { sku = "str", "qty?" = "int" }
output = "Order"

["shop.ledger:Ledger.post"]
input.entry = { sku = "str", qty = "int" }
output = "bool"

["shop.ledger:price"]
input = { sku = "str" }
output = "float"
"""
FILES = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "0"\n',
    "contracts.toml": CONTRACTS,
    "shop/__init__.py": "",
    "shop/cart.py": (
        "class Cart:\n    def order(self, sku, qty=1):\n        return {'sku': sku, 'quantity': qty}\n\n"
        "    def label(self, width=3):\n        return 'x' * width\n"
    ),
    "shop/ledger.py": (
        "class Ledger:\n    def post(self, entry):\n        return entry['qty'] > 0\n\n\n"
        "def price(sku):\n    return 1.0\n"
    ),
    "shop/main.py": (
        "from shop.cart import Cart\nfrom shop.ledger import Ledger, price\n\n\n"
        "def main():\n    cart, ledger = Cart(), Ledger()\n    order = cart.order('a', 2)\n"
        "    ledger.post(order)\n    price('a')\n"
    ),
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project without an import of ours."""
    write_files(tmp_path, FILES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_reads_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`validate` proves the break with both places; `build`, `inspect`, `run` and `why` know the contracts."""
    assert main(["validate", "."]) == 1
    said = capsys.readouterr().out
    assert 'may send   {"entry": {"sku": "", "quantity": 0}}' in said
    assert "shop/cart.py:2 (contract: contracts.toml:8), shop/ledger.py:2 (contract: contracts.toml:11)" in said
    assert main(["build", "."]) == 0
    assert main(["inspect", "."]) == 0
    assert 'order {"sku": str, "qty": NotRequired[int]} -> Order' in capsys.readouterr().out
    call = ["run", "--call", "ledger.price", "--args", '{"sku": 3}', "--payload-checks", "enforce"]
    assert main(call) == 1
    assert "sku: must be string, got 3" in capsys.readouterr().err
    (project / "contracts.toml").write_text(CONTRACTS.replace('quantity = "int"', 'qty = "int"'))
    assert main(["validate", "."]) == 0
    assert main(["build", ".", "--enable-agents", "--model", "rules"]) == 0
    capsys.readouterr()
    assert main(["why", "Cart.order"]) == 1
    assert "Its contract stands at contracts.toml:7 and contracts.toml:8." in capsys.readouterr().out


def test_a_build_says_where_the_contract_is_and_edits_nothing(project: Path) -> None:
    """Nobody writes into a file that no gate has looked at."""
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    assert main(["build", ".", "--enable-agents", "--model", "rules"]) == 1
    assert {path: path.read_bytes() for path in before} == before


def test_the_editor_sees_a_change_of_the_file(project: Path) -> None:
    """The findings of before are gone with what made them."""
    live = LiveProject(project)
    assert [one.code for one in live.look().findings if one.level.value == "error"] == ["GB101"]
    (project / "contracts.toml").write_text(CONTRACTS.replace('quantity = "int"', 'qty = "int"'))
    assert not [one for one in live.look().findings if one.level.value == "error"]


def test_a_scan_that_is_kept_is_read_anew_where_only_the_contracts_changed(project: Path) -> None:
    """The cache of a build rests on the file too."""
    kept = project / ".graphbus" / "cache" / "scan.jsonl"
    first = scan(".", cache_file=kept)
    assert "contracts.toml" in first.files
    (project / "contracts.toml").write_text(CONTRACTS.replace('output = "float"', 'output = "int"'))
    for again in (scan(".", cache_file=kept), first.rescan()):
        agent = again.find_agent("ledger")
        assert agent is not None
        method = agent.method("price")
        assert method is not None
        assert method.output_schema is not None
        assert method.output_schema.json_schema == {"type": "integer"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Ledger.post", "Ledger.pots", "contracts.toml:10: shop.ledger has no .* Did you mean shop.ledger:Ledger.post"),
        ("shop.ledger:price", "shop.leger:price", "contracts.toml:14: there is no module .* Did you mean shop.ledger"),
        ('output = "Order"', 'output = "Ordr"', "contracts.toml:8: output of Cart.order: `Ordr`.* Did you mean Order"),
        ('qty?" = "int"', 'qty?" = "in t"', "contracts.toml:7: input of shop.cart:Cart.order: 'in t' is not a type"),
        ('output = "float"', 'outpt = "float"', "contracts.toml:16: there is no `outpt`.* Did you mean `output`"),
        ("[types.Order]", "[Order]", "contracts.toml:1: 'Order' names no component.*Records stand under"),
        ('input = { sku = "str" }', "input = 3", "contracts.toml:15: .*3 is not a type"),
        ('output = "bool"', 'output = ["int", "str"]', "contracts.toml:12: .*is not a type"),
        ('output = "bool"', "output =", "is not TOML"),
        ('output = "bool"', "depends_on = 3", "contracts.toml:12: `depends_on` is a list"),
        ('sku = "str"\nq', 'sku = "str"\n"sku?" = "str"\nq', "toml:3: type Order: the field 'sku' is there twice"),
        ('quantity = "int"', 'quantity = { a = "1 2" }', "contracts.toml:3: type Order: '1 2' is not a type"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(project: Path, old: str, new: str, said: str) -> None:
    """One paragraph: the line, what is wrong there, and the nearest name."""
    (project / "contracts.toml").write_text(CONTRACTS.replace(old, new, 1))
    with pytest.raises(GraphBusError, match=said):
        scan(".")


def test_a_contract_is_written_in_one_place(tmp_path: Path) -> None:
    """The file wins over hints, fills what a decorator leaves out, and is refused where both say it."""
    code = (
        "from graphbus_core import GraphBusNode, schema_method\n\n\nclass Stock(GraphBusNode):\n"
        "    @schema_method(output_schema={'n': int})\n    def level(self, sku: str):\n        return {'n': 1}\n"
    )
    write_files(tmp_path, {"pyproject.toml": "", "stock.py": code, "contracts.toml": ""})
    beside = tmp_path / "contracts.toml"
    beside.write_text('["stock:Stock.level"]\ninput = { sku = "int" }\n')
    agent = scan(str(tmp_path)).find_agent("Stock")
    assert agent is not None
    level = agent.method("level")
    assert level is not None
    assert level.input_schema is not None
    assert level.input_schema.json_schema["properties"] == {"sku": {"type": "integer"}}
    beside.write_text('["stock:Stock.level"]\noutput = { n = "str" }\n')
    with pytest.raises(GraphBusError, match=r"contracts\.toml:2: Stock\.level has its output contract in the code too"):
        scan(str(tmp_path))


def test_depends_on_links_what_no_call_shows_and_undeclared_takes_a_hint_away(tmp_path: Path) -> None:
    """A JSON Schema and a record of another module can be written too."""
    write_files(
        tmp_path,
        {
            "pyproject.toml": "",
            "shop/__init__.py": "",
            "shop/models.py": "from typing import TypedDict\n\n\nclass Line(TypedDict):\n    sku: str\n    n: int\n",
            "shop/a.py": "def give():\n    return []\n\n\ndef hinted(x: int) -> int:\n    return x\n",
            "shop/b.py": "def take(lines):\n    return lines\n",
            "contracts.toml": (
                '["shop.a:give"]\noutput = { lines = "list[shop.models.Line]" }\n'
                '["shop.a:hinted"]\noutput = "undeclared"\n'
                '["shop.b:take"]\ndepends_on = "a.give"\n'
                'input = { type = "object", required = ["lines"], properties = { lines = { type = "array", '
                'items = { type = "object", required = ["qty"] } } } }\n'
            ),
        },
    )
    from graphbus_core.analysis.links import link_project

    project = scan(str(tmp_path))
    linked = link_project(project)
    assert [one.id for one in linked.links] == ["a.give => b.take"]
    assert linked.mismatches[0].counterexample == {"lines": [{"sku": "", "n": 0}]}
    agent = project.find_agent("a")
    assert agent is not None
    hinted = agent.method("hinted")
    assert hinted is not None
    assert hinted.output_schema is None
    assert hinted.input_schema is not None


def test_infer_writes_it_on_request_and_never_twice(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A diff first; what its owner wrote stays, byte for byte; guesses are comments; what is written can be read."""
    own = '# mine\n["shop.ledger:price"]\noutput = "int"'
    (project / "contracts.toml").write_text(own)
    assert main(["infer", ".", "--contracts"]) == 0
    assert '+["shop.cart:Cart.order"]' in capsys.readouterr().out
    assert (project / "contracts.toml").read_text() == own
    assert main(["infer", ".", "--contracts", "--write", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["written"] is True
    written = (project / "contracts.toml").read_text()
    assert written.startswith(own + "\n\n")
    assert 'output = { sku = "object", quantity = "int" }' in written
    assert '# likely: input = { sku = "object", "qty?" = "int" }' in written
    assert "price" not in written.removeprefix(own)
    assert main(["validate", "."]) == 0
    assert main(["infer", ".", "--contracts", "--write"]) == 0
    assert (project / "contracts.toml").read_text() == written
    capsys.readouterr()
    assert main(["infer", ".", "--write"]) == 2


def test_what_no_scan_can_name_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A class in a function, a rebound method, a private class: the file that is written can be read."""
    code = (
        "class _Hidden:\n    def f(self):\n        return 1\n\n\n"
        "class Field:\n    def make(cls):\n        return {'a': 1}\n\n    make = classmethod(make)\n\n"
        "    def other(self):\n        return {'b': 1}\n\n\n"
        "def outer():\n    class Inner:\n        def g(self):\n            return 'x'\n\n    return Inner\n"
    )
    write_files(tmp_path, {"pyproject.toml": "", "fields.py": code})
    monkeypatch.chdir(tmp_path)
    assert main(["infer", ".", "--contracts", "--write"]) == 0
    assert '["fields:Field.other"]' in (tmp_path / "contracts.toml").read_text()
    assert main(["validate", "."]) == 0


def test_functions_of_many_modules_keep_their_own_names(tmp_path: Path) -> None:
    """The class that stands for a module's functions is made and gone: its id must not lend its names to another's."""
    for n in range(40):
        function = f"def f{n}(x: int) -> int:\n    return x\n\n\n"
        write_files(
            tmp_path,
            {f"m{n}.py": f"{function}class C{n}:\n    def m{n}(self, y: str) -> str:\n        return y\n"},
        )
    write_files(tmp_path, {"pyproject.toml": '[tool.graphbus]\ncomponents = ["m*:*"]\n'})
    agents = scan(str(tmp_path)).agents
    assert len(agents) == 80
    for agent in agents:
        number = agent.module.removeprefix("m")
        assert [m.name for m in agent.methods] == [("m" if agent.name.startswith("C") else "f") + number]


def test_a_call_of_a_wrong_type_is_told_where_nothing_checks_it(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a plain function as of a node: the call is made, and what does not fit is said. Enforced, it is refused."""
    assert main(["build", "."]) == 0
    capsys.readouterr()
    assert main(["run", "--call", "ledger.price", "--args", '{"sku": 3}']) == 0
    said = capsys.readouterr()
    assert said.out.strip() == "1.0"
    assert "ledger.price input: sku: must be string, got 3. The call is made all the same" in said.err
    assert main(["run", "--call", "ledger.price", "--args", '{"sku": "a"}']) == 0
    assert capsys.readouterr().err == ""
    assert main(["run", "--call", "ledger.price", "--args", '{"sku": 3}', "--payload-checks", "enforce"]) == 1


MAPPED = {
    "pyproject.toml": '[project]\nname = "till"\nversion = "0"\n',
    "contracts.toml": (
        '["till:Till.on_paid"]\nmap = { cents = "price" }\nconvert = { cents = "money:to_cents" }\n\n'
        '["till:Order.take"]\nmap = { amount = "qty" }\n'
    ),
    "money.py": "def to_cents(price: float) -> int:\n    return round(price * 100)\n",
    "till.py": (
        "from typing import TypedDict\n"
        "from graphbus_core import GraphBusNode, depends_on, publishes, schema_method, subscribe\n\n\n"
        "class Paid(TypedDict):\n    cents: int\n\n\n"
        '@publishes("/Paid", {"price": float})\nclass Desk(GraphBusNode):\n'
        '    @schema_method(output_schema={"qty": int})\n    def count(self):\n        return {"qty": 1}\n\n\n'
        'class Till(GraphBusNode):\n    @subscribe("/Paid")\n    def on_paid(self, payload: Paid):\n'
        '        self.got = payload["cents"]\n\n\n'
        'class Order(GraphBusNode):\n    @depends_on("Desk.count")\n'
        '    @schema_method(input_schema={"amount": int})\n    def take(self, amount):\n        pass\n'
    ),
}


def test_a_mapping_stands_beside_the_code_and_is_delivered_through(tmp_path: Path) -> None:
    """Both links fit; the conversion's module is frozen with the build, though no node imports it."""
    write_files(tmp_path, MAPPED)
    linked = link_project(scan(tmp_path))
    assert linked.mismatches == ()
    assert [link.to_dict()["map"] for link in linked.links] == [{"cents": "price"}, {"amount": "qty"}]
    built = tmp_path.with_name(f"{tmp_path.name}-built")
    build_project(BuildConfig(str(tmp_path), output_dir=str(built)))
    executor = run_runtime(str(built))
    try:
        executor.publish("/Paid", {"price": 2.5})
        assert executor.get_node("Till").got == 250
    finally:
        executor.stop()


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ('map = "price"', "contracts.toml:2: `map` of till:Till.on_paid is a table of texts"),
        ('convert = { cents = "money:to_pence" }', "money:to_pence is not a function of a module"),
    ],
)
def test_a_mapping_that_cannot_be_read_is_an_error_with_its_line(tmp_path: Path, entry: str, why: str) -> None:
    write_files(tmp_path, {**MAPPED, "contracts.toml": f'["till:Till.on_paid"]\n{entry}\n'})
    with pytest.raises(GraphBusError, match=why):
        scan(tmp_path)


def test_what_feeds_nothing_cannot_be_mapped_and_nothing_is_mapped_twice(tmp_path: Path) -> None:
    files = {**MAPPED, "contracts.toml": '["till:Desk.count"]\nmap = { a = "b" }\n'}
    with pytest.raises(GraphBusError, match="hears no topic and depends on no method"):
        scan(write_files(tmp_path, files) or tmp_path)
    text = MAPPED["till.py"].replace('@subscribe("/Paid")', '@subscribe("/Paid", map={"cents": "price"})')
    write_files(tmp_path, {**MAPPED, "till.py": text})
    with pytest.raises(GraphBusError, match="has a mapping in the code too"):
        scan(tmp_path)
