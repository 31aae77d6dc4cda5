"""The gate `flows`: a rename after which the project does another thing with a value does not land."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.analysis import ProjectAnalysis
from graphbus_core.analysis.execution.traces import find_differences
from graphbus_core.analysis.scan import scan
from graphbus_core.commit.engine import CommitEngine
from graphbus_core.commit.gates import flows
from graphbus_core.commit.gates.trial import GateStatus
from graphbus_core.config import BuildConfig
from graphbus_core.sandbox.runner import Limits
from tests.commit.projects import about, write

FEED = '''"""Reads."""
from graphbus_core import GraphBusNode, schema_method


class Feed(GraphBusNode):
    SYSTEM_PROMPT = "I read."

    @schema_method(output_schema={"link": str})
    def read(self):
        return {"link": "a"}
'''
INDEX = '''"""Adds."""
import json

from graphbus_core import GraphBusNode, depends_on, schema_method


class Index(GraphBusNode):
    SYSTEM_PROMPT = "I add."

    @depends_on("Feed.read")
    @schema_method(input_schema={"url": str}, output_schema={"text": str})
    def add(self, url):
        return {"text": BODY}
'''
RENAME = {"op": "rename_field", "node": "Index", "method": "add", "side": "input", "field": "url", "to": "link"}


def run_gate(root: Path, changed: dict[str, str]) -> tuple[GateStatus, str]:
    """What the gate says of the rename, with some keys of it changed."""
    config = BuildConfig(str(root / "agents"), output_dir=str(root / ".graphbus"))
    with CommitEngine(scan(root / "agents"), config, limits=Limits(timeout_s=10), rehearse=True) as commits:
        receipt = commits.apply("prepare", about("p-1", {**RENAME, **changed}))
    ends = [(end["end"], end.get("why", "")) for end in receipt["ends"] if end["gate"] == "flows"]
    return ends[0] if ends else (GateStatus.NOT_RUN, receipt["reason"])


def write_project(root: Path, body: str, **files: str) -> Path:
    """The two nodes, and what stands around them."""
    beside = {path.replace("__", "/") + ".py": text for path, text in files.items()}
    return write(root, {"agents/feed.py": FEED, "agents/index.py": INDEX.replace("BODY", body), **beside})


def test_a_rename_that_reaches_everything_does_the_same(tmp_path: Path) -> None:
    root = write_project(
        tmp_path, "url.upper()", main="from agents.index import Index\n\nprint(Index().add(url='b')['text'])\n"
    )
    assert run_gate(root, {})[0] == GateStatus.TESTED


STATES = {
    "a key that is read where it was not built": (
        "for row in [{'url': n} for n in 'ab']:\n    print(row['url'])\n",
        "for row in [{'url': n} for n in 'ab']:\n    print(row['link'])\n",
        "and is not there",
    ),
    "a call that Python no longer takes": (
        "Index().add(url='b')\n",
        "Index().add(link='b')\n",
        "before the change, Index.add is given url, and Python takes it; after it, this is not so",
    ),
    "another value than before": (
        "rows = {'a': Feed().read()['link'], 'b': 'c'}\nprint(rows['a'])\n",
        "rows = {'a': Feed().read()['link'], 'b': 'c'}\nprint(rows['b'])\n",
        "'a' is read",
    ),
    "a comparison with other fields": (
        "assert {'url': 1} == {'url': 1}\n",
        "assert {'url': 1} == {'link': 1}\n",
        "other fields",
    ),
    "a name that leaves the project": (
        "import json\njson.dumps({'url': 1})\n",
        "import json\njson.dumps({'link': 1})\n",
        "is given link",
    ),
    "a function that is handed out under other parameters": (
        "import atexit\natexit.register(lambda url=1: url)\n",
        "import atexit\natexit.register(lambda link=1: link)\n",
        "is given link",
    ),
    "a class of which a double is made": (
        "from unittest.mock import create_autospec\nclass A:\n    def add(self, url): ...\ncreate_autospec(A)\n",
        "from unittest.mock import create_autospec\nclass A:\n    def add(self, link): ...\ncreate_autospec(A)\n",
        "is given link",
    ),
    "a text that is formatted by names": ("'{url}'.format(url=1)\n", "'{url}'.format(link=1)\n", "is given link"),
}


def find(root: Path, before: str, after: str) -> list[str]:
    """What differs, as the gate says it."""
    head = "from agents.feed import Feed\nfrom agents.index import Index\n"
    write_project(root, "url.upper()", main=f"{head}{before}")
    project = scan(root / "agents")
    stood = ProjectAnalysis.from_folder(project.root, project.agents, root=root)
    changed = stood.add_texts({"main.py": f"{head}{after}".encode()})
    texts = {"main.py": (f"{head}{before}".encode(), f"{head}{after}".encode())}
    runs = [flows.trace(p, {"add", "url"}) for p in (stood, changed)]
    return [flows.describe(*difference) for difference in find_differences(*runs, texts, {"url": "link"}, {})]


@pytest.mark.parametrize("case", STATES)
def test_a_place_that_a_rename_missed_or_should_have_left_is_found(tmp_path: Path, case: str) -> None:
    before, after, why = STATES[case]
    found = find(tmp_path, before, after)
    assert len(found) >= 1
    assert any(why in line for line in found), found
    assert all(line.startswith("main.py:") for line in found)


def test_what_the_rename_reaches_and_what_it_does_not_concern_is_no_difference(tmp_path: Path) -> None:
    """An inserted line moves what follows it, and is no difference by itself."""
    before = "row = {'url': 1, 'b': 2}\nassert row['url'] == 1\nprint(row['b'])\nIndex().add('x')\n"
    after = "\nrow = {'link': 1, 'b': 2}\nassert row['link'] == 1\nprint(row['b'])\nIndex().add('x')\n"
    assert find(tmp_path, before, after) == []


def test_a_call_that_could_not_be_made_before_may_be_made_after(tmp_path: Path) -> None:
    """That is what a repair is for, and what comes of it is new."""
    before = "row = Feed().read()\nprint(Index().add(**{'link': row['link']})['text'])\n"
    head = "from agents.feed import Feed\nfrom agents.index import Index\n"
    root = write_project(tmp_path, "url.upper()", main=f"{head}{before}")
    project = scan(root / "agents")
    (path,) = (agent.source_file for agent in project.agents if agent.name == "Index")
    index = INDEX.replace("BODY", "link.upper()").replace("url", "link").encode()
    stood = ProjectAnalysis.from_folder(project.root, project.agents, root=root)
    changed = ProjectAnalysis.from_folder(project.root, project.agents, root=root, over={path: index})
    texts = {stood.prefix + path: (INDEX.replace("BODY", "url.upper()").encode(), index)}
    runs = [flows.trace(p, {"add", "url"}) for p in (stood, changed)]
    assert list(find_differences(*runs, texts, {"url": "link"}, {})) == []
    assert list(find_differences(*runs[::-1], texts, {"url": "link"}, {})) != []


def test_a_test_that_a_rename_does_not_reach_refuses_it(tmp_path: Path) -> None:
    """Seen: dicts that a comprehension of a test builds. The rename is made, and the gate says what it misses."""
    root = write_project(tmp_path, "[row['url'] for row in urls]")
    for path, old, new in (
        ("agents/feed.py", '{"link": str}', '{"urls": [{"link": str}]}'),
        ("agents/index.py", 'input_schema={"url": str}', 'input_schema={"urls": [{"url": str}]}'),
        ("agents/index.py", "def add(self, url)", "def add(self, urls)"),
    ):
        (root / path).write_text((root / path).read_text().replace(old, new))
    (root / "test_index.py").write_text(
        "from agents.index import Index\n\n\ndef test_add():\n"
        "    assert Index().add([{'url': n} for n in 'ab'])['text'] == ['a', 'b']\n"
    )
    end, why = run_gate(root, {"field": "urls[].url"})
    assert (end, "'link' is read, and is not there" in why) == (GateStatus.REFUSED, True), why
