"""A project's code, interpreted and not run: what its scripts and tests give to its components, and where from."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.analysis import ProjectAnalysis
from graphbus_core.analysis.execution.runs import ProgramRuns
from graphbus_core.analysis.scan import scan

AGENTS = """
from typing import NotRequired, TypedDict
from graphbus_core import GraphBusNode, depends_on, schema_method

class Row(TypedDict):
    left: int
    amount: int
    note: NotRequired[str]
    lines: list[int]

class Stock(GraphBusNode):
    @schema_method
    def get(self, n: int = 1) -> Row:
        return {"left": n, "amount": 3, "lines": [1]}

    @schema_method
    async def aget(self, n: int = 1) -> Row:
        return {"left": n, "amount": 3, "lines": [1]}

class Order(GraphBusNode):
    @depends_on("Stock.get")
    @schema_method(input_schema={"qty": int, "memo": str}, output_schema={"line": str, "state": str})
    def use(self, qty, memo=""):
        self.last = qty
        return {"line": f"{qty}", "state": "many" if qty > 3 else "few"}
"""
HEAD = "from agents import Order, Stock\n\n"


def see(root: Path, files: dict[str, str]) -> list[str]:
    """What `qty` was given, as text: the field, and what is against it."""
    (root / "pyproject.toml").write_text("[project]\nname = 'p'\n")
    for path, text in {"agents.py": AGENTS, **files}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    project = scan(root)
    whole = ProjectAnalysis.from_folder(project.root, project.agents)
    agents = {(whole.prefix + agent.source_file, agent.class_name): agent for agent in project.agents}
    seen = {}
    for one in ProgramRuns(whole.texts, agents, {"use"}).explore().sightings:
        flaws = {
            "made": not one.exact,
            "not sole": not one.sole,
            "guarded": one.guarded,
            "caught": one.caught,
            "refused": not one.is_taken,
            "unheld": bool(one.test) and not one.held,
            "doubted": bool(one.doubt),
        }
        if one.taken[:1] == ("qty",):
            seen[" ".join([".".join(one.sent), *(flaw for flaw, there in flaws.items() if there)])] = None
    return sorted(seen)


HANDED = {
    "a lambda over map": "rows = map(Stock().get, [1, 2])\nlist(map(lambda row: Order().use(qty=row['left']), rows))\n",
    "a lambda's default": "row = Stock().get()\n(lambda left=row['left']: Order().use(qty=left))()\n",
    "a closure": (
        "def keep(row):\n    def go(order):\n        return order.use(qty=row['left'])\n    return go\n\n"
        "keep(Stock().get())(Order())\n"
    ),
    "a step list that is walked": (
        "STEPS = [Stock().get, lambda row: Order().use(qty=row['left'])]\nstate = 1\n"
        "for step in STEPS:\n    state = step(state)\n"
    ),
    "a step list that is reduced": (
        "from functools import reduce\n\nSTEPS = [Stock().get, lambda row: Order().use(qty=row['left'])]\n"
        "reduce(lambda state, step: step(state), STEPS, 1)\n"
    ),
    "a table of functions": (
        "JOBS = {'get': lambda s: Stock().get(), 'use': lambda s: Order().use(qty=s['left'])}\n"
        "state = None\nfor name in ('get', 'use'):\n    state = JOBS[name](state)\n"
    ),
    "a key table in a helper": (
        "KEYS = (('qty', 'left'),)\n\ndef turn(row):\n    return {new: row[old] for new, old in KEYS}\n\n"
        "Order().use(**turn(Stock().get()))\n"
    ),
    "a filtered and renamed dict": (
        "row = Stock().get()\nnames = {'left': 'qty'}\n"
        "Order().use(**{names[k]: v for k, v in row.items() if k in names})\n"
    ),
    "setattr in a loop": (
        "class Bag:\n    pass\n\nbag = Bag()\nfor new, old in {'qty': 'left'}.items():\n"
        "    setattr(bag, new, Stock().get()[old])\nOrder().use(qty=bag.qty)\n"
    ),
    "a proxy that makes its methods of their names": (
        "class Setter:\n    def __init__(self, f):\n        self.f = f\n\n    def __getattr__(self, name):\n"
        "        field = name.partition('_')[2]\n        return lambda value: self.f(**{field: value})\n\n"
        "Setter(Order().use).set_qty(Stock().get()['left'])\n"
    ),
    "a call by what a signature names": (
        "import inspect\n\nuse = Order().use\nrow = {'qty': Stock().get()['left'], 'memo': '', 'more': 1}\n"
        "use(**{name: row[name] for name in list(inspect.signature(use).parameters)})\n"
    ),
    "a generator of an async loop": (
        "import asyncio\n\nasync def rows():\n    yield await Stock().aget()\n\nasync def go():\n"
        "    async for row in rows():\n        Order().use(qty=row['left'])\n\nasyncio.run(go())\n"
    ),
    "a task group": (
        "import asyncio\n\nasync def go():\n    async with asyncio.TaskGroup() as group:\n"
        "        task = group.create_task(Stock().aget())\n    Order().use(qty=task.result()['left'])\n\n"
        "asyncio.run(go())\n"
    ),
    "gathered": (
        "import asyncio\n\nasync def go():\n    first, _ = await asyncio.gather(Stock().aget(), asyncio.sleep(0))\n"
        "    Order().use(qty=first['left'])\n\nasyncio.run(go())\n"
    ),
    "as completed": (
        "from concurrent.futures import ThreadPoolExecutor, as_completed\n\nwith ThreadPoolExecutor() as pool:\n"
        "    futures = [pool.submit(Stock().get, n) for n in range(3)]\n"
        "    for future in as_completed(futures):\n        Order().use(qty=future.result()['left'])\n"
    ),
    "a thread": (
        "import threading\n\nrow = Stock().get()\n"
        "threading.Thread(target=Order().use, kwargs={'qty': row['left']}).start()\n"
    ),
    "a queue": ("import queue\n\nrows = queue.Queue()\nrows.put(Stock().get())\nOrder().use(qty=rows.get()['left'])\n"),
    "a named tuple": (
        "from collections import namedtuple\n\nJob = namedtuple('Job', 'qty memo')\n"
        "job = Job(Stock().get()['left'], '')\nOrder().use(*job) if False else Order().use(**job._asdict())\n"
    ),
    "a dataclass that is replaced": (
        "from dataclasses import dataclass, replace\n\n@dataclass(frozen=True)\nclass Job:\n    qty: int = 0\n\n"
        "job = replace(Job(), qty=Stock().get()['left'])\nOrder().use(qty=job.qty)\n"
    ),
    "a property that hands on": (
        "class Job:\n    def __init__(self, row):\n        self._row = row\n\n    @property\n    def qty(self):\n"
        "        return self._row['left']\n\nOrder().use(qty=Job(Stock().get()).qty)\n"
    ),
    "a decorator of the project": (
        "import functools\n\ndef logged(f):\n    @functools.wraps(f)\n    def inner(*args, **kw):\n"
        "        print(args)\n        return f(*args, **kw)\n    return inner\n\n"
        "@logged\ndef send(row):\n    Order().use(qty=row['left'])\n\nsend(Stock().get())\n"
    ),
    "a class that is called": (
        "class Send:\n    def __call__(self, row):\n        Order().use(qty=row['left'])\n\nSend()(Stock().get())\n"
    ),
    "inherited": (
        "class Base:\n    def go(self):\n        return self.take(Stock().get())\n\nclass Job(Base):\n"
        "    def take(self, row):\n        return Order().use(qty=row['left'])\n\nJob().go()\n"
    ),
    "super": (
        "class Base:\n    def __init__(self, row):\n        self.row = row\n\nclass Job(Base):\n"
        "    def __init__(self):\n        super().__init__(Stock().get())\n\nOrder().use(qty=Job().row['left'])\n"
    ),
    "by the bus": (
        "from graphbus_core.runtime import RuntimeExecutor\n\nbus = RuntimeExecutor('x')\n"
        "row = bus.call('Stock', 'get', {})\nbus.call('Order.use', {'qty': row['left']})\n"
    ),
    "a walrus": "if (row := Stock().get()) is not None:\n    pass\nOrder().use(qty=row['left'])\n",
    "a tuple that is swapped": "a, b = 1, Stock().get()['left']\na, b = b, a\nOrder().use(qty=a)\n",
    "attrgetter and itemgetter": (
        "from operator import itemgetter\n\nleft, note = itemgetter('left', 'amount')(Stock().get())\n"
        "Order().use(qty=left)\n"
    ),
    "a partial of a partial": (
        "from functools import partial\n\npartial(partial(Order().use, memo=''), Stock().get()['left'])()\n"
    ),
    "a case that takes what the contract promises": (
        "match Stock().get():\n    case {'left': left}:\n        Order().use(qty=left)\n"
    ),
    "an unpacked NamedTuple": (
        "from typing import NamedTuple\n\nclass Job(NamedTuple):\n    memo: str\n    qty: int\n\n"
        "_, qty = Job('', Stock().get()['left'])\nOrder().use(qty=qty)\n"
    ),
    "a heap": (
        "import heapq\n\nheap = []\nheapq.heappush(heap, Stock().get()['left'])\nOrder().use(qty=heapq.heappop(heap))\n"
    ),
    "futures as keys": (
        "from concurrent.futures import ThreadPoolExecutor, as_completed\n\nwith ThreadPoolExecutor() as pool:\n"
        "    futures = {pool.submit(Stock().get, n): n for n in range(3)}\n"
        "    for future in as_completed(futures):\n        Order().use(qty=future.result()['left'])\n"
    ),
    "groups": (
        "from itertools import groupby\n\nrows = [Stock().get(n) for n in range(3)]\n"
        "for _, some in groupby(rows, key=lambda row: row['amount']):\n"
        "    for row in some:\n        Order().use(qty=row['left'])\n"
    ),
    "some of them": (
        "from itertools import islice\n\nfor row in islice(map(Stock().get, range(9)), 2):\n"
        "    Order().use(qty=row['left'])\n"
    ),
    "a mapping that makes what it lacks": (
        "from collections import defaultdict\n\nrows = defaultdict(list)\nrows['a'].append(Stock().get())\n"
        "for some in rows.values():\n    for row in some:\n        Order().use(qty=row['left'])\n"
    ),
    "an alias of a model": (
        "from pydantic import BaseModel, Field\n\nclass Job(BaseModel):\n    qty: int = Field(alias='left')\n\n"
        "Order().use(qty=Job(left=Stock().get()['left']).qty)\n"
    ),
    "tried again where it fails": (
        "def fetch():\n    for _ in range(3):\n        try:\n            return Stock().get()\n"
        "        except OSError:\n            continue\n\nOrder().use(qty=fetch()['left'])\n"
    ),
    "what was given, or else a new one": (
        "class Shop:\n    def __init__(self, stock=None, order=None):\n        self.stock = stock or Stock()\n"
        "        self.order = order if order is not None else Order()\n\n"
        "    def go(self):\n        row = self.stock.get()\n        if not row:\n            return\n"
        "        self.order.use(qty=row['left'])\n\nShop(Stock(), Order()).go()\n"
    ),
    "what stands in its place": (
        "inner = Order.use\n\ndef outer(self, **kw):\n    print(kw['qty'])\n    return inner(self, **kw)\n\n"
        "Order.use = outer\nOrder().use(qty=Stock().get()['left'])\n"
    ),
    "an override": (
        "class Loud(Order):\n    def use(self, **kw):\n        return super().use(**kw)\n\n"
        "Loud().use(qty=Stock().get()['left'])\n"
    ),
    "a descriptor": (
        "class Key:\n    def __set_name__(self, owner, name):\n        self.key = {'qty': 'left'}[name]\n\n"
        "    def __get__(self, view, owner):\n        return view.row[self.key]\n\n"
        "class View:\n    qty = Key()\n\n    def __init__(self, row):\n        self.row = row\n\n"
        "Order().use(qty=View(Stock().get()).qty)\n"
    ),
    "the attributes of an object": (
        "class Bag:\n    def __init__(self, **kw):\n        self.__dict__.update(kw)\n\n"
        "bag = Bag(**Stock().get())\nOrder().use(qty=vars(bag)['left'])\n"
    ),
    "a dict of the project's own": (
        "class Row(dict):\n    def __getattr__(self, name):\n        return self[name]\n\n"
        "Order().use(qty=Row(Stock().get()).left)\n"
    ),
    "a context variable": (
        "from contextvars import ContextVar\n\nrow = ContextVar('row')\nrow.set(Stock().get())\n"
        "Order().use(qty=row.get()['left'])\n"
    ),
    "those keys that both have": (
        "names = {'left': 'qty'}\nrow = {'left': Stock().get()['left'], 'more': 1}\n"
        "Order().use(**{names[k]: row[k] for k in row.keys() & names.keys()})\n"
    ),
    "a registry by name": (
        "nodes = {}\n\ndef add(cls):\n    nodes[cls.__name__.lower()] = cls()\n\nadd(Stock)\nadd(Order)\n"
        "nodes['order'].use(qty=nodes['stock'].get()['left'])\n"
    ),
    "a method with a part of its arguments": (
        "from functools import partialmethod\n\nclass Shop:\n    def _go(self, order, row):\n"
        "        order.use(qty=row['left'])\n\n    go = partialmethod(_go, Order())\n\nShop().go(Stock().get())\n"
    ),
    "with a function that catches nothing": (
        "try:\n    Order().use(qty=Stock().get()['left'])\nfinally:\n    print()\n"
    ),
}


@pytest.mark.parametrize("case", HANDED)
def test_a_value_that_is_only_carried_arrives_as_it_left(case: str, tmp_path: Path) -> None:
    """Whatever carries it: code is run, not matched."""
    assert see(tmp_path, {"main.py": HEAD + HANDED[case]}) == ["left"]


DOUBTED = {
    "an optional key with a default": ("Order().use(qty=Stock().get().get('note', 1))\n", ["note not sole"]),
    "setdefault": ("r = Stock().get()\nr.setdefault('note', 1)\nOrder().use(qty=r['note'])\n", ["note not sole"]),
    "changed by another name": (
        "r = Stock().get()\nh = r\nh['left'] = 2 * r['left']\nOrder().use(qty=r['left'])\n",
        ["left made"],
    ),
    "changed by a function": (
        "def double(row):\n    row['left'] *= 2\n\nr = Stock().get()\ndouble(r)\nOrder().use(qty=r['left'])\n",
        ["left made"],
    ),
    "changed through a copy of the outside alone": (
        "r = {**Stock().get()}\nr['left'] = 4\nOrder().use(qty=r['left'])\n",
        [],
    ),
    "a loop over what nobody counts": (
        "last = None\nfor line in Stock().get()['lines']:\n    last = line\nOrder().use(qty=last)\n",
        ["lines.[] not sole"],
    ),
    "summed in a loop": (
        "total = 0\nfor line in Stock().get()['lines']:\n    total += line\nOrder().use(qty=total)\n",
        ["lines.[] made not sole"],
    ),
    "one of two branches": (
        "r = Stock().get()\nif input():\n    q = r['left']\nelse:\n    q = r['amount']\nOrder().use(qty=q)\n",
        ["amount not sole", "left not sole"],
    ),
    "an exception goes another way": (
        "r = Stock().get()\ntry:\n    q = r['left']\nexcept KeyError:\n    q = 1\nOrder().use(qty=q)\n",
        ["left not sole"],
    ),
    "a converter of a field": (
        (
            "import attrs\n\n@attrs.frozen\nclass Job:\n    qty: float = attrs.field(converter=lambda n: n * 2)\n\n"
            "Order().use(qty=Job(qty=Stock().get()['left']).qty)\n"
        ),
        ["left made"],
    ),
    "a validator in a type": (
        (
            "from typing import Annotated\nfrom pydantic import BaseModel, BeforeValidator\n\nclass Job(BaseModel):\n"
            "    qty: Annotated[int, BeforeValidator(lambda n: n * 2)]\n\n"
            "Order().use(qty=Job(qty=Stock().get()['left']).qty)\n"
        ),
        ["left made"],
    ),
    "the greatest of several": (
        "row = max((Stock().get(n) for n in range(3)), key=lambda row: row['amount'])\nOrder().use(qty=row['left'])\n",
        [" made"],
    ),
    "a format": ("Order().use(qty=f\"{Stock().get()['left']}\")\n", ["left made"]),
    "json": ("import json\n\nOrder().use(qty=json.loads(json.dumps(Stock().get()))['left'])\n", [" made"]),
    "a validator may change it": (
        (
            "from pydantic import BaseModel, field_validator\n\nclass Job(BaseModel):\n    qty: int\n\n"
            "    @field_validator('qty')\n    @classmethod\n    def check(cls, v):\n        return v * 2\n\n"
            "Order().use(qty=Job(qty=Stock().get()['left']).qty)\n"
        ),
        ["left made"],
    ),
    "the method is another by then": (
        "Order.use = lambda self, qty: qty\nOrder().use(qty=Stock().get()['left'])\n",
        [],
    ),
    "the module is not to be had": ("import nobody_has_this_module\n\nOrder().use(qty=Stock().get()['left'])\n", []),
    "a setter": (
        (
            "class Job:\n    @property\n    def qty(self):\n        return self._q\n\n    @qty.setter\n"
            "    def qty(self, v):\n        self._q = v * 2\n\njob = Job()\njob.qty = Stock().get()['left']\n"
            "Order().use(qty=job.qty)\n"
        ),
        ["left made"],
    ),
    "an endless recursion": (
        "def go(row, n):\n    go(row, n + 1)\n\ngo(Stock().get(), 0)\nOrder().use(qty=Stock().get()['left'])\n",
        ["left"],
    ),
}


@pytest.mark.parametrize("case", DOUBTED)
def test_what_is_made_of_a_value_or_stands_beside_it_is_told(case: str, tmp_path: Path) -> None:
    """Nothing is guessed: where another way through the code leads elsewhere, it is said."""
    text, wanted = DOUBTED[case]
    assert see(tmp_path, {"main.py": HEAD + text}) == wanted


TESTED = {
    "equal": ("    assert Order().use(qty=row['left'])['line'] == '1'\n", ["left"]),
    "looked at later": (
        "    got = Order().use(qty=row['left'])\n    line = got['line']\n    assert line == '1'\n",
        ["left"],
    ),
    "in what the object holds": ("    o = Order()\n    o.use(qty=row['left'])\n    assert o.last == 1\n", ["left"]),
    "in a bound": ("    assert Order().use(qty=row['left'])['line'] < '2'\n", ["left"]),
    "by what a text begins with": ("    assert Order().use(qty=row['left'])['line'].startswith('1')\n", ["left"]),
    "in what is printed": (
        "    print(Order().use(qty=row['left'])['line'])\n    assert capsys.readouterr().out == '1'\n",
        ["left"],
    ),
    "in what its body prints": (
        (
            "    Loud().use(qty=row['left'])\n    assert capsys.readouterr().out == '1'\n\n\n"
            "class Loud(Order):\n    def use(self, qty):\n        print(qty)\n        return super().use(qty)\n"
        ),
        ["left", "left unheld"],
    ),
    "and then turned away the second time": (
        "    o = Order()\n    assert o.use(qty=row['left'])['line'] == '1'\n    assert not o.use(2)['line'] == '1'\n",
        ["left"],
    ),
    "not at all": ("    Order().use(qty=row['left'])\n", ["left unheld"]),
    "of something else": ("    Order().use(qty=row['left'])\n    assert row['left'] == 1\n", ["left unheld"]),
    "to differ": ("    assert Order().use(qty=row['left'])['line'] != '2'\n", ["left unheld"]),
    "to fail": (
        "    with pytest.raises(ValueError):\n        Order().use(qty=row['left'])\n",
        ["left caught unheld"],
    ),
    "to be decided otherwise than another value is": (
        "    assert Order().use(qty=row['left'])['state'] == 'few'\n    assert Order().use(9)['state'] == 'many'\n",
        ["left doubted"],
    ),
    "patched": (
        "    with patch('agents.Order.use'):\n        assert Order().use(qty=row['left'])['line'] == '1'\n",
        ["left doubted"],
    ),
}


@pytest.mark.parametrize("case", TESTED)
def test_a_test_holds_what_comes_of_a_call_or_not(case: str, tmp_path: Path) -> None:
    """Its fixtures are run as well; what is asserted is followed back to the call."""
    text, wanted = TESTED[case]
    head = "import pytest\nfrom unittest.mock import patch\nfrom agents import Order, Stock\n\n\n"
    head += "@pytest.fixture\ndef row():\n    yield Stock().get()\n\n\ndef test_it(row, capsys):\n"
    assert see(tmp_path, {"tests/test_it.py": head + text}) == wanted


FIXTURES = {
    "under another name": "@pytest.fixture(name='row')\ndef make_row():\n    return Stock().get()\n\n\n",
    "by its parameters": (
        "@pytest.fixture(params=[1, 2])\ndef row(request):\n    return Stock().get(request.param)\n\n\n"
    ),
    "whose parameters are the values": (
        "@pytest.fixture(params=[Stock().get(1), Stock().get(2)])\ndef row(request):\n    return request.param\n\n\n"
    ),
}


@pytest.mark.parametrize("case", FIXTURES)
def test_a_fixture_is_the_origin_of_what_it_gives(case: str, tmp_path: Path) -> None:
    """Whatever it is called, and however often it is run."""
    text = f"import pytest\nfrom agents import Order, Stock\n\n\n{FIXTURES[case]}"
    text += "def test_it(row):\n    assert Order().use(qty=row['left'])['line'] == '1'\n"
    assert see(tmp_path, {"tests/test_it.py": text}) == ["left"]


def test_a_fixture_may_set_what_the_class_of_a_test_has(tmp_path: Path) -> None:
    """`request.cls` is that class."""
    text = "import pytest\nfrom agents import Order, Stock\n\n\n@pytest.fixture(autouse=True)\ndef rows(request):\n"
    text += "    request.cls.row = Stock().get()\n\n\nclass TestIt:\n    def test_it(self):\n"
    text += "        assert Order().use(qty=self.row['left'])['line'] == '1'\n"
    assert see(tmp_path, {"tests/test_it.py": text}) == ["left"]


def test_parameters_of_a_test_are_run_one_by_one(tmp_path: Path) -> None:
    """Each set of them is a call of its own."""
    test = "import pytest\nfrom agents import Order, Stock\n\n\n@pytest.mark.parametrize('key', ['left', 'amount'])\n"
    test += "def test_it(key):\n    assert Order().use(qty=Stock().get()[key])['line'] == '1'\n"
    assert see(tmp_path, {"test_it.py": test}) == ["amount", "left"]


def test_more_code_than_is_followed_proves_nothing(tmp_path: Path) -> None:
    """The run ends, and says so."""
    text = "n = 0\nfor a in range(60):\n    for b in range(60):\n        for c in range(60):\n            n += 1\n"
    assert see(tmp_path, {"main.py": f"{HEAD}Order().use(qty=Stock().get()['left'])\n{text}"}) == ["left doubted"]
