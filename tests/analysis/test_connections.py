"""Which files can call into the agents: by imports, by what is handed on, by a name in text; not by a common word."""

from __future__ import annotations

import json
import random
from pathlib import Path
from textwrap import dedent

import pytest

from graphbus_core.analysis import CallLink, ProjectAnalysis
from graphbus_core.analysis.connections import Connections
from graphbus_core.analysis.scan import scan
from graphbus_core.testing import write_files
from tests.analysis.projects import HEAD, SHOP
from tests.analysis.test_kept import WORDINGS

AGENTS = {"pyproject.toml": "", "agents/a.py": HEAD + dedent(SHOP)}
NOTEBOOK = json.dumps({"cells": [{"cell_type": "code", "source": ["from agents.a import Load\n", "Load().load(1)\n"]}]})


def analyse(root: Path, everywhere: bool = False) -> ProjectAnalysis:
    """The project of `agents/`; callers may be asked for in every file."""
    scanned = scan(root / "agents")
    project = ProjectAnalysis.from_folder(scanned.root, scanned.agents)
    if everywhere:
        project.__dict__["_connections"] = None
    return project


def connect(root: Path, files: dict[str, str]) -> set[str]:
    """The files that are connected, without those of the agents."""
    write_files(root, {**AGENTS, **{path: dedent(text) for path, text in files.items()}})
    project = analyse(root)
    connected = Connections(project.texts, project.agents, project.prefix).connected
    return set(connected) - {"agents/a.py"}


@pytest.mark.parametrize(
    "files",
    [
        {"main.py": "from agents.a import Load\n"},
        {"main.py": "import agents.a as a, json\n"},
        {"main.py": "import agents\nagents.a.Load()\n"},
        {"main.py": "def go():\n    from agents \\\n        import a\n"},
        {"main.py": "from agents.a import (  # the shop ;)\n    Load,\n    Clean,\n)\n"},
        {"main.py": "if True: import json; from agents.a import Load\n"},
        {"agents/beside.py": "from .a import Load\n"},
        {"agents/beside.py": "from . import a\n"},
        {"agents/beside.py": "import a\n"},
        {"scripts/run.py": "import sys\nsys.path.insert(0, '../agents')\nimport a\n"},
        {"scripts/run.py": "import sys\nsys.path.insert(0, '../agents')\nimport a\n", "scripts/a.py": ""},
        {"main.py": "import importlib\nimportlib.import_module('agents.a').Load().load(1)\n"},
        {"main.ipynb": NOTEBOOK},
        {"main.py": "import names\n", "names.py": "from agents.a import *\n"},
        {"agents/__init__.py": "from .a import Load\n", "main.py": "from agents import Load\n"},
        {"main.py": "from agents.a import Load\nfrom lib import go\ngo(Load())\n", "lib.py": "def go(x): x.load(1)\n"},
        {"conftest.py": "from agents.a import Load\n", "tests/test_it.py": "def test_it(one): one.load(1)\n"},
        {"main.py": "bus.call('Load', 'load', x=1)\n"},
        {"main.py": "bus.get_node('Load').load(1)\n"},
        {"main.py": "from names import LOAD\nbus.call(LOAD, 'load', x=1)\n", "names.py": "LOAD: str = (\n  'Load')\n"},
        {"main.py": "bus.request('Load.load', {})\n", "above.py": "import main\n"},
    ],
)
def test_who_has_an_agent_by_whatever_way_is_connected(tmp_path: Path, files: dict[str, str]) -> None:
    """An import of any form, one over another file, an object that is handed on, a fixture, a name in text."""
    assert connect(tmp_path, files) == set(files)


def test_a_base_class_brings_its_callers(tmp_path: Path) -> None:
    """Who knows the base alone may call the agent by a method that it inherits."""
    agent = "class Pull(Base, GraphBusNode):\n    @schema_method(input_schema={'x': int})\n    def pull(self, x): ...\n"
    agents = {"agents/b.py": HEAD + "from lib.base import Base\n" + agent}
    base = {"lib/base.py": "class Base:\n    def pull(self, x): ...\n"}
    main = {"main.py": "from lib.base import Base\ndef go(one: Base):\n    one.pull(1)\n"}
    assert connect(tmp_path, {**agents, **base, **main}) == {*agents, *base, *main}


def test_a_word_alone_is_no_connection(tmp_path: Path) -> None:
    """A method, a class or a node of the same name, also behind imports of what knows no agent."""
    files = {
        "tools/shop.py": "class Load:\n    def load(self, x): ...\nfrom tools.rest import load\nload(Load().load(1))\n",
        "tools/rest.py": "def load(x): return x.load(1)\n",
        "tools/words.py": "'agents.a'; 'Load'; call('Load', 'load')  # import nothing\n",
        "tools/a.py": "def load(x): ...\n",
        "tools/own.py": "import a\na.load(1)\n",
    }
    assert connect(tmp_path, files) == set()


@pytest.mark.parametrize("seed", range(6))
def test_the_connected_files_show_what_the_whole_project_does(tmp_path: Path, seed: int) -> None:
    """In any of the wordings of a project, with files beside it that say the same words and import no agent."""
    chosen, shown = random.Random(seed), set[tuple[CallLink, ...]]()
    write_files(
        tmp_path, {"pyproject.toml": "", "other/words.py": "def go(one, row): return one.clean(**one.load(row))\n"}
    )
    for _ in range(12):
        write_files(tmp_path, {path: chosen.choice(texts) for path, texts in WORDINGS.items()})
        narrow, wide = analyse(tmp_path), analyse(tmp_path, everywhere=True)
        links = narrow.find_links(tests=True)
        assert links == wide.find_links(tests=True)
        assert set(narrow.list_flows()) == set(wide.list_flows())
        shown.add(links)
    assert len(shown) > 3


def test_a_file_that_an_edit_connects_is_asked(tmp_path: Path) -> None:
    """It did not change, and what was kept of it holds no more; nor when the import goes again."""
    lib = {"lib.py": "def go(one, two): one.clean(**two.load(1))\n"}
    without = "import json\n"
    main = "from agents.a import Clean, Load\nfrom lib import go\ngo(Clean(), Load())\n"
    keep = tmp_path / "links.jsonl"
    for text, links in [(without, 0), (main, 1), (without, 0), (main, 1)]:
        write_files(tmp_path / "shop", {**AGENTS, **lib, "main.py": text})
        scanned = scan(tmp_path / "shop" / "agents")
        project = ProjectAnalysis.from_folder(scanned.root, scanned.agents, keep=keep)
        assert len(project.find_links()) == links
