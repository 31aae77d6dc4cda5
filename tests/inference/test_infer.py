"""`infer`: what it reads of plain code, what it finds, and what it leaves alone."""

# ruff: noqa: E501  one program a line, as data

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphbus_core.analysis import ProjectAnalysis
from graphbus_core.cli.main import main
from graphbus_core.inference import infer
from graphbus_core.inference.shapes import Certainty, render_shape
from graphbus_core.inference.signatures import Signatures
from graphbus_core.inference.values import MAX_PARTS


def written(folder: Path, **files: str) -> Path:
    """A project of these modules."""
    (folder / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    for name, source in files.items():
        (folder / f"{name}.py").write_text(source)
    return folder


def contract(folder: Path, source: str, name: str = "f") -> tuple[str, Certainty]:
    """What a function gives, and how sure that is."""
    signatures = Signatures(ProjectAnalysis(written(folder, m=source)))
    found = signatures.find("m.py", name)
    assert found is not None
    return render_shape(found.gives.shape), found.gives.level


@pytest.mark.parametrize(
    ("source", "gives", "level"),
    [
        ("def f():\n    return {'a': 1, 'b': 'x'}", "{a: int, b: str}", Certainty.CERTAIN),
        ("def f():\n    return dict(host='h', port=80)", "{host: str, port: int}", Certainty.CERTAIN),
        ("def f(x) -> dict:\n    return {'a': 1}", "{a: int}", Certainty.CERTAIN),
        ("def f(x) -> dict:\n    return x", "dict", Certainty.DECLARED),
        ("def f(x) -> 'list[str]': ...", "list[str]", Certainty.DECLARED),
        (
            "def f(x):\n    d = {'a': 1}\n    if x:\n        d['b'] = 2\n    return d",
            "{a: int, b?: int}",
            Certainty.CERTAIN,
        ),
        ("def f(x):\n    d = {'a': 1}\n    d['b'] = 's'\n    return d", "{a: int, b: str}", Certainty.CERTAIN),
        ("def f(x):\n    d = {'a': 1}\n    x(d)\n    return d", "{a: int, …}", Certainty.LIKELY),
        ("def f(x):\n    d = {}\n    e = d\n    e['a'] = 1\n    return d", "dict", Certainty.LIKELY),
        ("def f(x):\n    if x:\n        return 'a'", "str | None", Certainty.CERTAIN),
        ("def f(x):\n    raise NotImplementedError", "?", Certainty.UNKNOWN),
        ("def f(x):\n    return x", "?", Certainty.UNKNOWN),
        ("def f(x):\n    return g()\ndef g():\n    return f(1)", "?", Certainty.UNKNOWN),
        (
            "def f(x):\n    r = []\n    for i in x:\n        r.append(str(i))\n    return r",
            "list[str]",
            Certainty.CERTAIN,
        ),
        ("def f(x):\n    yield 'a'", "Iterator[str]", Certainty.CERTAIN),
        ("class A:\n    n: int = 0\ndef f():\n    return A().n", "int", Certainty.CERTAIN),
        ("import os\ndef f():\n    return os.path.join('a', 'b').split('/')", "list[str]", Certainty.CERTAIN),
    ],
)
def test_what_a_function_gives(tmp_path: Path, source: str, gives: str, level: Certainty) -> None:
    """Keys that are set later count; what somebody else may fill is open; a circle ends."""
    assert contract(tmp_path, source) == (gives, level)


BROKEN = {
    "a key": "def load():\n    return {'quantity': 3}\n\ndef total():\n    return load()['qty'] + 1\n",
    "an attribute": "class Order:\n    def __init__(self):\n        self.sku = 'a'\n\ndef show(o: Order):\n    return o.sgu\n",
    "a member": "from enum import Enum\n\nclass Kind(Enum):\n    A = 1\n\ndef pick():\n    return Kind.B\n",
    "a parameter": "def pack(sku, qty):\n    return sku\n\ndef run():\n    return pack(sku='a', quantity=1)\n",
    "a field": "from dataclasses import dataclass\n\n@dataclass\nclass P:\n    x: int\n    y: int\n\ndef at():\n    return P(1)\n",
    "a type": "def take(n: int) -> int:\n    return n\n\ndef run():\n    return take('one')\n",
    "a promise": "def name() -> str:\n    return 3\n",
    "behind a getter": "class P:\n    def __init__(self):\n        self._n = 1\n    @property\n    def n(self):\n        return self._m\n    @n.setter\n    def n(self, value):\n        self._n = value\n",
    "keys for values": "def both():\n    return {'a': 1, 'b': 2, 'c': 3}\n\ndef run():\n    a, b = both()\n    return a\n",
    "a class's method": "class A:\n    @classmethod\n    def make(cls) -> bool:\n        return True\n\ndef run():\n    made = A.make()\n    return made.sku\n",
    "a declared list": "class L:\n    sku: str = ''\nclass B:\n    def one(self) -> bool:\n        return True\nclass P:\n    def __init__(self, some: list[B]):\n        self.some = some\n    def run(self):\n        b = next(x for x in self.some if x)\n        return b.one().sku\n",
    "a module's object": "class H:\n    def get(self):\n        return 1\n\nhandler = H()\n\ndef run():\n    return handler.got()\n",
    "a result": "def both():\n    return True\n\ndef run():\n    a, b = both()\n    return a\n",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_each_kind_of_break_is_found_with_its_line(tmp_path: Path, kind: str) -> None:
    """One finding, an error, in the file where it goes wrong."""
    found = infer(written(tmp_path, m=BROKEN[kind])).findings
    assert len({f.line for f in found}) == 1, found
    assert all((f.file, f.level.value) == ("m.py", "error") for f in found)


FINE = {
    "looked for first": "def load():\n    return {'a': 3}\n\ndef total():\n    r = load()\n    return r['b'] if 'b' in r else 0\n",
    "expected to fail": "def load():\n    return {'a': 3}\n\ndef f():\n    try:\n        return load()['b']\n    except KeyError:\n        return 0\n",
    "asked what it is": "class A: pass\nclass B(A):\n    n = 1\n\ndef f(a: A):\n    return a.n if isinstance(a, B) else 0\n",
    "a mixin": "class Mix:\n    def go(self):\n        return self.n\n\nclass C(Mix):\n    n = 1\n",
    "set elsewhere": "class A: pass\n\ndef f(a: A):\n    a.tag = 1\n    return a.tag\n",
    "made by name": "class A:\n    def __init__(self, **kw):\n        self.__dict__.update(kw)\n\ndef f(a: A):\n    return a.anything\n",
    "a base outside": "from somewhere import Base\n\nclass A(Base): pass\n\ndef f():\n    return A(1, two=2).three\n",
    "a wider number": "def take(n: float) -> float:\n    return n\n\ndef run():\n    return take(1)\n",
    "a default of None": "def take(n: int = None):\n    return n\n\ndef run():\n    return take(None)\n",
    "a diamond": "class R:\n    def __init__(self, m=''): ...\nclass F(R):\n    def __init__(self, u, m=''): ...\nclass U(R): ...\nclass P(U, F): ...\n\ndef f():\n    return P('u', 'm')\n",
    "an override": "class A:\n    def get(self):\n        return {'a': 1}\nclass B(A):\n    def get(self):\n        return {'b': 1}\n\ndef f(a: A):\n    return a.get()['b']\n",
    "a failure that is let pass": "from contextlib import suppress\n\ndef load():\n    return {'a': 3}\n\ndef f():\n    with suppress(KeyError):\n        return load()['b']\n",
    "a table that grows": "TABLE = {'a': 1}\nTABLE['b'] = 2\n\ndef f():\n    return TABLE['b']\n",
    "a class for the checker only": "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    class A:\n        def go(self): ...\n\ndef f(a: 'A'):\n    return a.go()\n",
    "a class under a condition": "import sys\n\nclass A:\n    if sys.platform:\n        class Meta:\n            def go(self):\n                return 1\n\ndef f():\n    return A.Meta().go()\n",
    "a class that never is": "raise SystemExit\nclass A:\n    def go(self):\n        return 1\n",
    "a method bound anew": "class A:\n    def go(n, m):\n        return n\n    go = staticmethod(go)\n    def run(self):\n        return self.go(1, 2)\n",
    "a length that is asked for": "def f(x):\n    if x:\n        return 1, 2\n    return 3, 4\n\ndef run():\n    made = f(1)\n    if len(made) == 3:\n        a, b, c = made\n",
    "a class named in brackets": "from typing import Optional\n\nclass OrderItem:\n    def same(self) -> Optional['OrderItem']:\n        return None\n\ndef f(sink):\n    sink({'order_items': 1})\n",
    "an interface of zope": "from zope.interface import Interface\n\nclass IStore(Interface):\n    def load(name):\n        'No self is written there.'\n\ndef f(store: IStore):\n    return store.load('a')\n",
    "a key of settings in a class": "class Config:\n    POSTS_EACH_PAGE = 3\n\ndef f(app, sink):\n    sink({'posts_pages': 1})\n    app.config.from_object(Config)\n    return app.config['POSTS_EACH_PAGE']\n",
    "an error named as one of Python's": "from somewhere import ConnectionError\n\nclass Bad(ConnectionError):\n    def word(self):\n        return self.url\n",
    "a property with a setter": "class A:\n    @property\n    def go(self):\n        return print\n    @go.setter\n    def go(self, value):\n        pass\n\ndef f(a: A):\n    return a.go(1, sep='')\n",
    "an author who knows": "def take(n: int):\n    return n\n\ndef run():\n    return take('x')  # type: ignore\n",
}


@pytest.mark.parametrize("kind", FINE)
def test_code_that_runs_is_left_alone(tmp_path: Path, kind: str) -> None:
    """Not a warning either."""
    assert infer(written(tmp_path, m=FINE[kind])).findings == ()


def test_a_key_that_a_constant_table_lacks_is_a_warning(tmp_path: Path) -> None:
    """Nobody adds to it, as far as the project shows."""
    (one,) = infer(written(tmp_path, m="TABLE = {'a': 1}\n\ndef f():\n    return TABLE['zebra']\n")).findings
    assert (one.code, one.level.value, one.line) == ("GB501", "warning", 4)


REBOUND = {
    "by a function": "def swap(other):\n    global handler\n    handler = other\n",
    "by another module": "import m\n\ndef swap(other):\n    m.handler = other\n",
    "by its name": "def swap(name, other):\n    globals()[name] = other\n",
}


@pytest.mark.parametrize("how", REBOUND)
def test_a_module_object_that_may_be_another_one_is_a_warning(tmp_path: Path, how: str) -> None:
    """Bound once, and by nobody else, it is certain: that case stands among the breaks above."""
    source = BROKEN["a module's object"]
    apart = "import m" in REBOUND[how]
    folder = written(tmp_path, m=source if apart else source + "\n\n" + REBOUND[how], n=REBOUND[how] if apart else "")
    (one,) = infer(folder).findings
    assert (one.code, one.level.value, one.line) == ("GB502", "warning", 8)


def test_a_module_object_of_one_branch_is_a_warning(tmp_path: Path) -> None:
    """The other branch may have got it from elsewhere."""
    source = BROKEN["a module's object"].replace("\nhandler = H()", "\nif run:\n    handler = H()")
    (one,) = infer(written(tmp_path, m=source)).findings
    assert (one.code, one.level.value) == ("GB502", "warning")


def test_a_value_that_holds_itself_twice_at_every_line_has_a_bounded_type(tmp_path: Path) -> None:
    """Whole, it would have 2^24 parts, and to compare it would never end."""
    again = "    x = [x, [x]]\n" * 24
    assert len(contract(tmp_path, f"def f(x: int):\n{again}    return x\n")[0]) < 50 * MAX_PARTS
    assert contract(tmp_path, "def f(x: int):\n    y = [x, [x]]\n    return y\n")[0] == "list[int | list[int]]"


def test_a_path_of_what_nobody_knows_is_likely_text(tmp_path: Path) -> None:
    """Bytes in, bytes out."""
    source = "import os\n\ndef f(row) -> bytes:\n    return os.path.dirname(row.path)\n"
    (one,) = infer(written(tmp_path, m=source)).findings
    assert one.level.value == "warning"
    assert contract(tmp_path, source.replace(" -> bytes", "").replace("row.path", "'a'")) == ("str", Certainty.CERTAIN)


def test_two_lonely_keys_of_one_name_are_a_warning(tmp_path: Path) -> None:
    """Through code that nobody can follow; unrelated names are left alone."""
    source = (
        "def put(sink):\n    sink({'order_number': 1, 'zebra': 2})\n\ndef take(row):\n    return row['orderNumber']\n"
    )
    (one,) = infer(written(tmp_path, m=source)).findings
    assert (one.code, one.level.value, one.line) == ("GB501", "warning", 5)


def test_the_command_reads_changes_nothing_and_runs_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A project whose import would fail loudly, and leave a file."""
    trap = "open('was_here', 'w')\nraise SystemExit('run!')\n" + BROKEN["a key"]
    monkeypatch.chdir(written(tmp_path, m=trap))
    before = sorted(p.name for p in tmp_path.iterdir())
    assert main(["infer", "."]) == 1
    out = capsys.readouterr().out
    assert "GB501" in out
    assert 'payload: {"quantity": 0}' in out
    assert main(["infer", ".", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [f["code"] for f in told["findings"]] == ["GB501"]
    assert sorted(p.name for p in tmp_path.iterdir()) == before


def test_a_finding_of_infer_can_be_ignored_with_a_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one of `validate`."""
    source = BROKEN["a key"].replace(" + 1", " + 1  # graphbus: ignore[GB501] the loader changes tomorrow")
    monkeypatch.chdir(written(tmp_path, m=source))
    assert main(["infer"]) == 0
    assert "1 ignored" not in capsys.readouterr().err


def test_a_folder_without_python_ends_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And so does one that is not there."""
    (tmp_path / ".git").mkdir()
    assert main(["infer", str(tmp_path)]) == 2
    assert main(["infer", str(tmp_path / "nowhere")]) == 2
    assert "holds no Python file" in capsys.readouterr().err
