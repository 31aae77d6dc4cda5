"""What an earlier run showed is believed where nothing that it rests on has changed: warm and cold say the same."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from graphbus_core.analysis import CallLink, ProjectAnalysis
from graphbus_core.analysis.cache import PURPOSE
from graphbus_core.analysis.scan import scan
from graphbus_core.storage.signing import derive_seal
from tests.analysis.projects import HEAD

PULL = "    @schema_method(input_schema={'x': int}, output_schema={'y': int})\n"
# Each file in several wordings, so that an edit anywhere changes what calls elsewhere show: through imports, a base
# class, a parameter that only a call tells, an object kept in an attribute, a fixture, a re-export.
WORDINGS = {
    "agents/load.py": [
        HEAD + "from agents.base import Base\nclass Load(Base, GraphBusNode):\n"
        "    @schema_method(input_schema={'x': int}, output_schema={'quantity': int, 'rows': list})\n"
        "    def load(self, x):\n        return {'quantity': x, 'rows': []}\n",
        HEAD + "from agents.base import Base\n\nclass Load(Base, GraphBusNode):\n"
        "    @schema_method(input_schema={'x': int}, output_schema={'quantity': int, 'rows': list})\n"
        "    def load(self, x):\n        return {'rows': [], 'quantity': x}\n",
    ],
    "agents/clean.py": [
        HEAD + "class Clean(GraphBusNode):\n"
        "    @schema_method(input_schema={'qty': int, 'rows': list}, output_schema={'n': int})\n"
        "    def clean(self, qty, rows):\n        return {'n': qty}\n",
        HEAD + "from agents.load import Load\nclass Clean(GraphBusNode):\n"
        "    @schema_method(input_schema={'qty': int, 'rows': list}, output_schema={'n': int})\n"
        "    def clean(self, qty, rows):\n        Load().load(1)\n        return {'n': qty}\n",
    ],
    "agents/base.py": [
        HEAD + "class Base:\n" + PULL + "    def pull(self, x):\n        from agents.clean import Clean\n"
        "        return Clean().clean(qty=x, rows=[])\n"
        "    def again(self):\n        return self.load(2)\n",
        HEAD + "class Base:\n" + PULL + "    def pull(self, x):\n        return {'y': x}\n"
        "    def again(self):\n        return {'quantity': 3, 'rows': []}\n",
    ],
    "agents/two.py": [  # the same methods in the same order, of a family with `Base` or without
        HEAD + "from agents.base import Base\nclass Two(GraphBusNode):\n"
        "    def again(self): return {}\n" + PULL + "    def pull(self, x): return {'y': 1}\n",
        HEAD + "from agents.base import Base\nclass Two(Base, GraphBusNode):\n"
        "    def again(self): return {}\n" + PULL + "    def pull(self, x): return {'y': 1}\n",
    ],
    "lib/one.py": ["from lib.two import two\ndef one():\n    return two()\n"],
    "lib/two.py": [
        "from agents.load import Load\ndef two():\n    return Load()\n",
        "from agents.clean import Clean\ndef two():\n    return Clean()\n",
    ],
    "deep.py": ["from lib.one import one\nfrom agents.clean import Clean\nClean().clean(**one().load(1))\n"],
    "deeper.py": ["from lib.one import one\nfrom agents.clean import Clean\nClean().clean(**one().load(1))\n"],
    "lib/made.py": [
        "from agents.load import Load\n\ndef made():\n    return Load()\n",
        "from agents.clean import Clean\n\ndef made():\n    return Clean()\n",
        "def made():\n    return None\n",
    ],
    "lib/__init__.py": ["from lib.made import made\n", "def made():\n    return 3\n"],
    "lib/step.py": [
        "def step(one, row):\n    return one.clean(qty=row['quantity'], rows=row['rows'])\n",
        "def step(one, row):\n    return one.clean(**row)\n",
        "def step(one, row):\n    row = dict(row)\n    row['qty'] = row.pop('quantity')\n    return one.clean(**row)\n",
    ],
    "main.py": [
        "from agents.clean import *\nfrom lib import made\nfrom lib.step import step\nstep(Clean(), made().load(1))\n",
        "from agents.clean import Clean\nfrom lib import made\n\nClean().clean(**made().load(1))\n",
        "from lib import made\nmade().load(1)\n",
    ],
    "other.py": [
        "from lib.step import step\n",
        "from lib.step import *\nfrom agents.load import *\nimport agents.clean as c\nstep(c.Clean(), Load().again())",
        "class Step:\n    def clean(self, qty, rows): ...\n\nfrom lib.step import step\nstep(Step(), {})\n",
    ],
    "tests/conftest.py": [
        "import pytest\nfrom agents.clean import Clean\n@pytest.fixture\ndef it():\n    return Clean()\n",
        "import pytest\nfrom agents.load import Load\n@pytest.fixture\ndef it():\n    return Load()\n",
    ],
    "tests/test_it.py": [
        "from agents.load import Load\ndef test(it):\n    it.clean(**Load().load(1))\n",
        "from agents.load import Load\ndef test(it):\n    r = Load().load(1)\n    it.clean(qty=r['quantity'])\n",
    ],
}


def written(folder: Path, path: str, text: str) -> None:
    """One file."""
    (folder / path).parent.mkdir(parents=True, exist_ok=True)
    (folder / path).write_text(text, "utf-8")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """The project in its first wording."""
    folder = tmp_path / "shop"
    written(folder, "pyproject.toml", "")
    for path, texts in WORDINGS.items():
        written(folder, path, texts[0])
    return folder


def seen(folder: Path, keep: Path | None) -> tuple[CallLink, ...]:
    """The links, those of tests with them."""
    scanned = scan(folder / "agents")
    return ProjectAnalysis.from_folder(scanned.root, scanned.agents, keep=keep).find_links(tests=True)


def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are parsed from now on."""
    from graphbus_core.analysis import file_reader, files

    found: list[str] = []
    read = file_reader.read_file
    monkeypatch.setattr(files, "_FACTS", {})
    monkeypatch.setattr(file_reader, "read_file", lambda path, *rest: found.append(path) or read(path, *rest))
    return found


@pytest.mark.parametrize("seed", range(8))
def test_after_any_edits_a_warm_run_shows_what_a_cold_one_does(shop: Path, tmp_path: Path, seed: int) -> None:
    """Thirty edits of files that rest on one another, a run after each or after two."""
    chosen, keep = random.Random(seed), tmp_path / "cache" / "links.jsonl"
    shown = set()
    for _ in range(30):
        for _ in range(chosen.choice((1, 1, 2))):
            path = chosen.choice(list(WORDINGS))
            written(shop, path, chosen.choice(WORDINGS[path]))
        cold = seen(shop, None)
        assert seen(shop, keep) == cold
        shown.add(cold)
    assert len(shown) > 3


def test_only_what_may_have_changed_is_read_again(shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing changed: nothing is parsed. One main program changed: that, and what it rests on."""
    keep = tmp_path / "links.jsonl"
    first = seen(shop, keep)
    found = parsed(monkeypatch)
    assert seen(shop, keep) == first
    assert found == []
    written(shop, "main.py", WORDINGS["main.py"][1])
    assert seen(shop, keep) == seen(shop, None) != first
    monkeypatch.undo()
    found = parsed(monkeypatch)
    written(shop, "other.py", "x = 1\n")
    seen(shop, keep)
    assert found in ([], ["other.py"])


def test_a_file_that_comes_or_goes_is_noticed(shop: Path, tmp_path: Path) -> None:
    """A module beside the one that an import meant, and a caller in a new file."""
    keep = tmp_path / "links.jsonl"
    first = seen(shop, keep)
    written(shop, "late.py", WORDINGS["main.py"][1])
    assert seen(shop, keep) == seen(shop, None) != first
    (shop / "late.py").unlink()
    assert seen(shop, keep) == first


def test_a_line_that_another_program_edited_is_no_answer(shop: Path, tmp_path: Path) -> None:
    """An edited line and one with the digests mended are looked for anew; so is a file that is not a text at all."""
    keep = tmp_path / "links.jsonl"
    first = seen(shop, keep)
    kept = keep.read_bytes()
    assert b"quantity" in kept
    for content in (kept.replace(b"quantity", b"quantitx"), kept[65:], b"", b"\xff" * 200, kept[:-20]):
        keep.write_bytes(content)
        assert seen(shop, keep) == first
    seal = derive_seal(PURPOSE)
    assert seal is not None
    body = seal.unwrap(keep.read_bytes())
    assert body is not None
    keep.write_bytes(seal.wrap(body.replace(b"quantity", b"quantitx")))
    assert seen(shop, keep) != first  # with this machine's own seal it is believed: the seal is what protects


def test_where_nothing_can_be_written_every_run_asks_again(shop: Path, tmp_path: Path) -> None:
    """A folder that is a file: no answer is kept, and none is missing."""
    (tmp_path / "cache").write_text("", "utf-8")
    assert seen(shop, tmp_path / "cache" / "links.jsonl") == seen(shop, None)
