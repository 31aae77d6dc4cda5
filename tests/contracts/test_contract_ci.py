"""Contracts in somebody's CI: git, tags, builds, a baseline, the pre-commit hook and the workflow as written."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from graphbus_core.cli.main import main
from tests import forking

ROOT = Path(__file__).parents[2]
OBJECT = {"type": "object", "properties": {"a": {"type": "string"}}}
NEEDED = {**OBJECT, "required": ["a"]}
STOCK = """
from graphbus_core import GraphBusNode, schema_method


class Stock(GraphBusNode):
    @schema_method(input_schema={"sku": str}, output_schema={"left": %s})
    def look(self, sku):
        return {"left": 1}
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty repository."""
    monkeypatch.chdir(tmp_path)
    git("init", "-q", "-b", "main")
    return tmp_path


def git(*words: str, at: str = ".") -> None:
    line = ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", "-C", at, *words]
    subprocess.run(line, check=True, timeout=60, capture_output=True)


def put(path: str, data: Any) -> None:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(data if isinstance(data, str) else json.dumps(data, indent=1))


def commit(tag: str = "") -> None:
    git("add", "-A")
    git("commit", "-qm", "one")
    if tag:
        git("tag", tag)


def diff(*words: str) -> int:
    return main(["contracts", "diff", *words])


def told(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [one["finding"] for one in json.loads(capsys.readouterr().out)["changes"]]


def test_tags_are_a_history(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The newest tag alone, or every tag with a transitive mode; ten comes after nine."""
    put("s/a.json", OBJECT)
    commit("v9")
    put("s/a.json", NEEDED)
    commit("v10")
    assert diff("s", "--history", "git:v*") == 0
    assert diff("s", "--history", "git:v*", "--mode", "BACKWARD_TRANSITIVE") == 1
    assert "a.json@v9: a became required" in capsys.readouterr().out
    assert diff("s/a.json", "--history", "git:", "--mode", "BACKWARD_TRANSITIVE", "--json") == 1
    assert [(f["file"], f["payload"]) for f in told(capsys)] == [("s/a.json", {})]
    git("rm", "-q", "-r", "s")
    assert diff("s/a.json", "--history", "git:v*") == 1
    assert diff("s/a.json", "--history", "git:release-*") == 2
    assert diff("s/typo.json", "--history", "git:v*") == 2
    assert "Look at the path again" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ("typo", "--against", "git:HEAD"),
        ("s/typo.json", "--against", "git:HEAD"),
        ("s", "--history", "nowhere"),
        ("s/typo.json", "--history", "h"),
        ("s", "--against", "git:HEAD~7"),
        ("empty", "--against", "git:HEAD"),
        ("s/a.json", "--against", "empty"),
        ("s", "--against", "git:HEAD", "--baseline", "none.json"),
        ("s", "--against", "git:HEAD", "--mode", "SIDEWAYS"),
    ],
)
def test_a_slip_of_the_pen_never_passes(here: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    """A path that is nowhere said "No contract changed" and exited with 0."""
    put("s/a.json", OBJECT)
    commit()
    Path("empty").mkdir()
    Path("h").mkdir()
    assert diff(*words) == 2
    assert "✓" not in capsys.readouterr().out


def test_methods_are_found_with_file_and_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Against git, a tag, a folder and a build; a project that is gone is all its promises gone."""
    put("shop/stock.py", STOCK % "int")
    commit("v1")
    assert main(["build", "shop"]) == 0
    put("old/stock.py", STOCK % "int")
    put("shop/stock.py", "\n" + STOCK % "float")
    for against in (
        ("--against", "git:HEAD"),
        ("--against", "old"),
        ("--against", ".graphbus"),
        ("--history", "git:v*"),
    ):
        capsys.readouterr()
        assert diff("shop", *against, "--json") == 1
        (found,) = told(capsys)
        assert (found["file"], found["line"], found["payload"]) == ("shop/stock.py", 8, {"left": 0.5})
        assert found["message"].startswith("Stock.look: output.left became wider")
        assert found["related"][0]["line"] == 7
    assert diff("shop", "--against", "git:HEAD", "--mode", "BACKWARD") == 0
    assert "read link" in capsys.readouterr().out
    (here / "shop/stock.py").unlink()
    (here / "shop").rmdir()
    assert diff("shop", "--against", "git:HEAD", "--json") == 1
    assert [f["message"] for f in told(capsys)] == ["Stock.look was removed"]


def test_python_beside_schemas_makes_no_project(here: Path) -> None:
    """A folder of schemas with a script in it was compared as a project without methods: nothing ever changed."""
    put("s/a.json", OBJECT)
    put("s/generate.py", "x = 1\n")
    commit()
    put("s/a.json", NEEDED)
    assert diff("s", "--against", "git:HEAD") == 1


def test_a_baseline_is_written_and_holds(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What broke before passes, what breaks anew does not; no run complains of what another run needs."""
    put("s/a.json", OBJECT)
    put("s/b.json", OBJECT)
    commit()
    put("s/a.json", NEEDED)
    assert diff("s", "--against", "git:HEAD", "--write-baseline") == 0
    put("pyproject.toml", '[tool.graphbus.contracts]\nbaseline = "contracts-baseline.json"\n')
    assert diff("s", "--against", "git:HEAD") == 0
    put("s/b.json", NEEDED)
    assert diff("s", "--against", "git:HEAD") == 1
    assert diff("s/b.json", "--against", "git:HEAD", "--write-baseline") == 0
    capsys.readouterr()
    assert diff("s", "--against", "git:HEAD") == 0
    put("s/a.json", OBJECT)
    assert diff("s", "--against", "git:HEAD") == 0
    assert "GB903" not in capsys.readouterr().out


def test_files_that_are_no_contracts_are_left_out(here: Path) -> None:
    """A folder may hold a package.json."""
    put("s/a.json", OBJECT)
    put("s/package.json", {"name": "x", "version": "1"})
    commit()
    assert diff("s", "--against", "git:HEAD") == 2
    assert diff("s", "--against", "git:HEAD", "--exclude", "package.json") == 0


def as_installed(line: str, at: Path) -> int:
    """Run a command line as somebody's machine would, in a folder: the words of `graphbus` as they are written."""
    words = shlex.split(line)
    assert words[0] == "graphbus"
    run = [sys.executable, "-m", "graphbus_core.cli.main", *words[1:]]
    inner = {**os.environ, "PYTHONPATH": str(ROOT)}
    return forking.run(run, cwd=at, env=inner, capture_output=True, timeout=120, check=False).returncode


def documented(key: str) -> Any:
    """The block of YAML in the docs that has this key."""
    blocks = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/contracts.md").read_text(), re.DOTALL)
    (found,) = [made for block in blocks if key in (made := yaml.safe_load(block))]
    return found[key]


def test_the_pre_commit_hook_stops_a_breaking_commit(here: Path) -> None:
    """The entry of `.pre-commit-hooks.yaml` with the arguments of the docs, as pre-commit runs it: in the root, staged.

    It runs always: pre-commit does not name deleted files to a hook, and a deleted schema breaks.
    """
    (used,) = documented("repos")[0]["hooks"]
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    (hook,) = (one for one in hooks if one["id"] == used["id"])
    assert (hook["id"], hook["always_run"], hook["pass_filenames"]) == (used["id"], True, False)
    line = " ".join([hook["entry"], *map(shlex.quote, used["args"])])
    put("schemas/a.json", OBJECT)
    commit()
    assert as_installed(line, here) == 0
    put("schemas/a.json", NEEDED)
    git("add", "-A")
    assert as_installed(line, here) == 1
    git("rm", "-q", "--force", "schemas/a.json")
    assert as_installed(line, here) == 1


def test_the_workflow_of_the_docs_in_a_clean_clone(here: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Its last step, in a clone that has origin/main, on a branch."""
    (job,) = documented("jobs").values()
    assert job["steps"][0]["with"]["fetch-depth"] == 0
    line = job["steps"][-1]["run"]
    put("schemas/a.json", OBJECT)
    commit()
    clone = tmp_path_factory.mktemp("runner") / "clone"
    git("clone", "-q", str(here), str(clone))
    git("checkout", "-q", "-b", "change", at=str(clone))
    assert as_installed(line, clone) == 0
    (clone / "schemas/a.json").write_text(json.dumps(NEEDED))
    assert as_installed(line, clone) == 1


def test_an_agreement_is_a_published_version(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`graphbus agree` and `contracts publish` write one form, and one reader reads it."""
    from graphbus_core.sessions.interface import InterfaceDirectory

    table = InterfaceDirectory(here, "prices")
    assert table.open("feed", "shop").ok
    sent = {"type": "object", "properties": {"price": {"type": "integer"}}, "required": ["price"]}
    taken = {**sent, "properties": {"price": {"type": "number"}}}
    assert table.table("producer", sent).ok
    pair = table.table("consumer", taken).data["pair"]
    assert table.accept("producer", pair).ok
    assert table.accept("consumer", pair).data["agreed"] is True
    published = json.loads((here / "contracts-history/prices/1.json").read_text())
    assert published["agreed_by"] == ["feed", "shop"]
    put("mine.json", taken)
    put("narrow.json", {**sent, "properties": {"price": {"type": "string"}}})
    use = ["contracts", "can-i-use"]
    assert main([*use, "mine.json", "prices"]) == 0
    assert main([*use, "prices", "prices@1"]) == 0
    assert main([*use, "narrow.json", "prices"]) == 1
    for file in ("contracts-history/prices/1.json", "prices.contract.json"):
        assert main(["contracts", "check", file, "mine.json"]) == 0
        assert main(["contracts", "check", file, file]) == 0
        assert main(["contracts", "check", "mine.json", file]) == 0
    assert main(["contracts", "publish", "mine.json"]) == 0
    assert main(["contracts", "diff", "mine.json"]) == 2
    capsys.readouterr()
    history = here / "contracts-history/prices/1.json"
    history.write_text(history.read_text().replace('"shop"', '"mall"').replace("number", "string"))
    assert main([*use, "mine.json", "prices"]) == 2
    assert "not as it was published" in capsys.readouterr().err
