"""Who uses a symbol: by which ways a place may reach it, and what only looks like it."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from graphbus_core.analysis.type_checker import is_installed
from graphbus_core.sessions.team.usage import Usage

CORE = """
class Base:
    def run(self): ...
    def stop(self): self.run()

class Engine(Base):
    def run(self): super().run()

class Other:
    def run(self): ...
    def park(self): ...

def make() -> Engine: return Engine()
def build(): return Engine()
LIMIT = 3
"""


def find(files: dict[str, str], symbol: str, worktree: Path | None = None) -> set[str]:
    """The definitions that use a symbol."""
    texts = {path: textwrap.dedent(text).encode() for path, text in {"app/core.py": CORE, **files}.items()}
    if worktree is not None:
        for path, data in texts.items():
            (worktree / path).parent.mkdir(parents=True, exist_ok=True)
            (worktree / path).write_bytes(data)
    with Usage(texts, worktree) as usage:
        return {place.symbol for place in usage.find_uses(*symbol.split("::"))}


OWN = {"app/core.py::Base.run"}  # what `Engine.run` overrides


@pytest.mark.parametrize(
    "text",
    [
        "from app.core import Engine\ndef use(engine: Engine): engine.run()",
        "from app.core import Engine\ndef use(engine: 'Engine | None'): engine.run()",
        "from app.core import make\ndef use(): make().run()",
        "from app.core import build\ndef use():\n    engine = build()\n    engine.run()",
        "import app.core as core\ndef use(): core.Engine().run()",
        "from app import core\ndef use(): return core.Engine.run",
        "from app.core import Engine as Motor\ndef use(): Motor().run()",
        "from app.core import Engine\ndef use():\n    for engine in [Engine()]: engine.run()",
        "from app.core import Engine\ndef use():\n    def inner(): pass\n    return lambda: Engine().run()",
        "from app.core import Engine\ndef go(e): ...\ndef use(): go(Engine().run)",
        "def use():\n    from app.core import Engine\n    return Engine().run()",
    ],
)
def test_a_method_is_used_however_its_object_is_reached(text: str) -> None:
    """Hints, factories, aliases, loops, callbacks, imports inside of a function."""
    assert find({"app/use.py": text}, "app/core.py::Engine.run") == {*OWN, "app/use.py::use"}


@pytest.mark.parametrize(
    "text",
    [
        "from app.core import Other\ndef use(engine: Other): engine.run()",
        "from app.core import Base\ndef use(engine: Base): engine.run()",
        "def use(run): run()",
        "def use(queue):\n    run = queue.pop()\n    return run",
        "def use(engine): engine.run(); engine.park()",
        "# Engine.run\ndef use(): 'Engine().run()'",
    ],
)
def test_what_has_only_the_same_name_is_no_use(text: str) -> None:
    """Another class, the base alone, a parameter, a local, an object that has what only another class has, words."""
    assert find({"app/use.py": text}, "app/core.py::Engine.run") == OWN


def test_attributes_heirs_and_super_count_and_the_own_body_does_not() -> None:
    """An attribute set in `__init__` from a parameter with a hint; an override; `super()`; a class in a function."""
    text = """
        from app.core import Base, Engine

        class Car:
            def __init__(self, engine: Engine):
                self.engine = engine

            def drive(self):
                self.engine.run()

        class Turbo(Engine):
            def run(self):
                return 1

        def test():
            class Local(Engine):
                def run(self):
                    super().run()
            return Local
        """
    assert find({"app/use.py": text}, "app/core.py::Engine.run") == {
        *OWN, "app/use.py::Car.drive", "app/use.py::Turbo.run", "app/use.py::test.Local.run"
    }  # fmt: skip
    assert find({}, "app/core.py::Base.run") == {"app/core.py::Base.stop", "app/core.py::Engine.run"}


def test_a_name_is_followed_through_what_hands_it_on_and_stands_where_it_is_written() -> None:
    """Re-exports under another name; a decorator or a default belongs around its function, an annotation to it."""
    files = {
        "app/__init__.py": "from app.core import LIMIT as TOP, build as make_engine\n",
        "app/use.py": """
            from app import TOP, make_engine as again

            def limit(n=TOP): return n
            def count(n: "list[TOP]"): return n
            def use(): return again()
            def shadow(TOP): return TOP
            """,
    }
    assert find(files, "app/core.py::LIMIT") == {"app/__init__.py::", "app/use.py::", "app/use.py::count"}
    assert find(files, "app/core.py::build") == {"app/__init__.py::", "app/use.py::", "app/use.py::use"}


def test_a_class_is_used_where_it_is_made_and_by_its_heirs() -> None:
    """And its constructor is used where an heir without one of its own is made."""
    text = "from app.core import Other\nclass Child(Other): ...\ndef use(): return Child()"
    assert find({"app/use.py": text}, "app/core.py::Other") == {"app/use.py::", "app/use.py::Child"}
    box = {"app/box.py": "class Box:\n    def __init__(self, n): ...\nclass Small(Box): ...\ndef use(): Small(1)"}
    assert find(box, "app/box.py::Box.__init__") == {"app/box.py::use"}


def test_an_object_of_unknown_origin_is_what_alone_has_all_that_is_asked_of_it() -> None:
    """`park` tells which class it is; what strings and lists have as well tells nothing."""
    assert find({"app/use.py": "def use(x): x.run(); x.park()"}, "app/core.py::Other.run") == {"app/use.py::use"}
    text = "class Doc:\n    def split(self): ...\ndef use(x): x.split()"
    assert find({"app/use.py": text}, "app/use.py::Doc.split") == set()


@pytest.mark.skipif(not is_installed(), reason="no type checker is installed")
def test_the_type_checker_tells_what_the_text_alone_does_not(tmp_path: Path) -> None:
    """A narrowed union is the one class that is left."""
    text = """
        from app.core import Engine, Other

        def use(x: Engine | Other):
            if isinstance(x, Other):
                return None
            return x.run()
        """
    assert find({"app/use.py": text}, "app/core.py::Other.run") == {"app/use.py::use"}
    assert find({"app/use.py": text}, "app/core.py::Other.run", tmp_path) == set()
    assert find({"app/use.py": text}, "app/core.py::Engine.run", tmp_path) == {*OWN, "app/use.py::use"}


def test_what_is_set_elsewhere_is_known_by_the_name_that_it_goes_by() -> None:
    """An attribute that is only None here is what other classes hold under its name; a template calls its heirs."""
    text = """
        class Reader:
            def read(self): ...

        class Plugin:
            def __init__(self): self.reader = None
            def read(self): return self.reader.read()

        class Host:
            reader = Reader

        class Template:
            def go(self): self.fill()

        class Page(Template):
            def fill(self): ...

        class Empty(Template): ...
        """
    assert find({"app/use.py": text}, "app/use.py::Reader.read") == {"app/use.py::Plugin.read"}
    assert find({"app/use.py": text}, "app/use.py::Page.fill") == {"app/use.py::Template.go"}
