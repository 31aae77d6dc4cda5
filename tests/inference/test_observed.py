"""`infer --from-tests`: types that tests send become proposals; values and foreign keys stay where they are."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.errors import UsageError
from graphbus_core.inference import infer, observation
from graphbus_core.inference.observation import merge_shapes as merged_shapes, observe, read_report, refine_contracts
from graphbus_core.inference.shapes import Certainty, render_shape
from graphbus_core.sandbox.runner import Limits

# The plugins of this environment take seconds to import, and no test here is about them.
QUICK = "pytest -q --disable-plugin-autoload"

SHOP = """
class Shop:
    def order(self, row, note=None):
        return [self.price(row["sku"], row["qty"]), note]

    def price(self, sku: str, qty) -> float:
        return 1.5 * qty

    def people(self, by_name):
        return by_name

    def walk(self, n):
        while n:
            yield n

    def opened(self):
        yield

    def fail(self, why):
        raise ValueError(why)
"""

TESTS = """
from contextlib import contextmanager
from shop import Shop

def test_order():
    assert Shop().order({"sku": "secret-sku", "qty": 2}) == [3.0, None]
    assert Shop().order({"sku": "b", "qty": 1, "note": "x"}) == [1.5, None]
    walk = Shop().walk(3)
    assert [next(walk), next(walk)] == [3, 3]
    walk.close()
    with contextmanager(Shop.opened)(Shop()):
        pass
    try:
        with contextmanager(Shop().walk)(2):
            raise KeyError
    except KeyError:
        pass

def test_people():
    Shop().people({"Mrs Miller": 1, "Mr Smith": 2})

def test_that_fails():
    try:
        Shop().fail("because")
    except ValueError:
        pass
    Shop().price(None, 1)
    assert 0
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A project without hints, with a test that fails."""
    root = tmp_path / "shop"
    (root / "tests").mkdir(parents=True)
    (root / "pyproject.toml").write_text("[project]\nname = 'shop'\n")
    (root / "shop.py").write_text(SHOP)
    (root / "tests" / "test_shop.py").write_text(TESTS)
    return root


def test_what_tests_send_becomes_likely_and_no_value_leaves(shop: Path) -> None:
    """A failing test was seen too; `None` against a hint is told; keys that are data are not fields."""
    before = sorted(str(p) for p in shop.rglob("*"))
    seen = observe(shop, QUICK)
    assert not seen.passed
    assert "1 failed" in seen.ended
    made = refine_contracts(infer(shop), seen)
    (component,) = made.inferred.components
    methods = {method.name: method for method in component.methods}
    assert str(methods["order"]) == "order(row: {qty: int, sku: str, note?: str, …}, note=: ?) -> list[float | None]"
    assert methods["order"].signature.gives.level == Certainty.LIKELY
    assert methods["order"].sources == ("tests",)
    assert str(methods["price"]) == "price(sku: str, qty: int) -> float"
    assert render_shape(methods["people"].signature.takes[0].told.shape) == "dict[str, int]"
    assert render_shape(methods["walk"].signature.gives.shape) == "Iterator[int]"
    assert render_shape(methods["opened"].signature.gives.shape) == "Iterator[None]"
    assert render_shape(methods["fail"].signature.takes[0].told.shape) == "str"
    assert "None" not in render_shape(methods["fail"].signature.gives.shape)
    assert [line.partition(": ")[2] for line in made.otherwise] == ["price declares `sku` as str; tests sent None"]
    told = json.dumps(seen.to_dict())
    assert not any(word in told for word in ("secret-sku", "Miller", "because", "3.0"))
    assert sorted(str(p) for p in shop.rglob("*")) == before


def test_the_command_says_how_the_tests_ended_and_what_they_sharpened(
    shop: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As text and as JSON; examples only where they are asked for."""
    assert main(["infer", str(shop), "--from-tests", QUICK, "--values", "--json"]) == 0
    out, err = capsys.readouterr()
    told = json.loads(out)
    order = next(one for one in told["tests"]["functions"] if one["name"] == "Shop.price")
    assert order["examples"]["sku"] == ["secret-sku", "b"]
    assert told["components"][0]["methods"][0]["from"] == ["tests"]
    assert "in the sandbox" in err
    assert main(["infer", str(shop), "--values"]) == 2


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("", "names no tests"),
        ("pytest 'x", "cannot be read"),
        ("-q", "names no tests"),
        ("no_such_runner -q", "is not installed beside GraphBus"),
        (f"{QUICK} nowhere.py", "Nothing was seen"),
    ],
)
def test_tests_that_cannot_run_end_in_a_sentence(shop: Path, command: str, says: str) -> None:
    """And what they said last."""
    with pytest.raises(UsageError, match=says):
        observe(shop, command)


def test_a_missing_module_is_named(shop: Path) -> None:
    """It is what goes wrong most."""
    (shop / "tests" / "test_more.py").write_text("import shop\nshop.Shop().price('a', 1)\nimport never_heard_of\n")
    assert "'never_heard_of' is not installed" in observe(shop, QUICK).ended


def test_the_run_ends_at_once_when_it_is_called_off(shop: Path) -> None:
    """As Ctrl-C does; and at its limit of time, with what was seen until then lost."""
    (shop / "tests" / "test_shop.py").write_text("import time\n\ndef test_long():\n    time.sleep(300)\n")
    stop = threading.Event()
    timer = threading.Timer(1.0, stop.set)
    timer.start()
    begun = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            observe(shop, QUICK, stop=stop)
    finally:
        timer.cancel()
        timer.join(30)
    assert time.monotonic() - begun < 120
    with pytest.raises(UsageError, match="limit of time"):
        observe(shop, QUICK, limits=Limits(timeout_s=1.0))


@pytest.mark.parametrize(
    ("told", "gives"),
    [
        ([["keyed", {"a": "int"}]], "{a: int, …}"),
        ([["keyed", {"a": "int"}], ["keyed", {"a": "int", "b": "str"}]], "{a: int, b?: str, …}"),
        ([["keyed", {"a": "int"}], ["keyed", {"b": "int"}]], "dict[str, int]"),
        ([["keyed", {"a": "int"}], ["mapped", "str", "str"]], "dict[str, str | int]"),
        (["int", "None"], "int | None"),
        ([["many", "list", ["either", "int", "str"]]], "list[int | str]"),
        ([["row", "int", "str"]], "tuple[int, str]"),
        (["rm -rf /"], "?"),
        ([{"a": 1}, 3], "?"),
        ("int", "?"),
        ([["made", "shop", "Shop"]], "Shop!"),
    ],
)
def test_the_recorders_line_is_read_with_suspicion(told: object, gives: str) -> None:
    """Types are taken, and nothing else; mappings of one kind become one."""
    from graphbus_core.inference.shapes import PlainShape

    line = json.dumps({"m.py:f": {"calls": 1, "takes": {}, "gives": told}})
    found = read_report(line, lambda _module, name: PlainShape(f"{name}!"))
    assert render_shape(found["m.py", "f"].gives) == gives


@pytest.mark.parametrize("line", ["", "[]", "{", '{"m.py:f": 1}', '{"x": {}}', "[" * 100_000, '{"m.txt:f": {}}'])
def test_a_line_of_another_form_tells_nothing(line: str) -> None:
    """It came out of a process that ran anybody's code."""
    assert read_report(line, lambda _module, name: merged_shapes([])) == {}


def test_words_are_those_of_the_project_and_not_of_its_tests(shop: Path) -> None:
    """A key in a test may be a person's name."""
    from graphbus_core.analysis import ProjectAnalysis

    assert observation._collect_words(ProjectAnalysis(shop)) == [
        "by_name",
        "n",
        "note",
        "qty",
        "row",
        "self",
        "sku",
        "why",
    ]
