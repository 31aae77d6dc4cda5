"""Every fenced block of the documents is run here, or stands below with the reason why it is not."""

# ruff: noqa: E501 - a key is a page and the first line of its block

from __future__ import annotations

import io
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from tests.docs import over_nats
from tests.docs.blocks import PAGES, ROOT, blocks
from tests.docs.other_blocks import MANY, OTHERS
from tests.docs.python_blocks import PYTHON
from tests.docs.running import BLOCKS, folder, run
from tests.docs.test_tutorial import TUTORIAL

TUTORIAL_KEYS = {block.key for block in TUTORIAL}

HOUSE = ("graphbus_core", "tests", "benchmarks", "docs", "examples", ".ci")

# Why a whole block is not run.
NOT_RUN = {
    "docs/runtime.md: $ graphbus replay run.jsonl --against .g": "two builds; tests/runtime/test_comparison.py plays such",
    "CONTRIBUTING.md: make demo     # a virtual environment in": "this suite",
    "CONTRIBUTING.md: .venv/bin/python -m pytest tests/contrac": "this suite",
    "CONTRIBUTING.md: A renamed parameter is followed into tes": "a text, not code",
    "README.md: pip install git+https://github.com/graph": "a network; .ci/wheel.py installs the wheel and runs the demo",
    "README.md: scan ──> link ──> mismatches, each with": "a picture",
    "docs/adopt.md: $ uvx --from git+https://github.com/grap": "a network",
    "docs/adopt.md: $ pip install 'graphbus-core[lsp] @ git+": "a network",
    'docs/adopt.md: $ graphbus infer . --from-tests "pytest': "a sandbox; tests/inference records the types of small suites in one",
    "docs/adopt.md: $ graphbus infer . --diff": "an id that each run gives anew; tests/inference/test_source.py undoes one",
    "docs/adopt.md: -def get_redis_host_and_port():": "a diff, not code",
    'docs/adopt.md: vim.lsp.config("graphbus", { cmd = { "gr': "an editor; tests/lsp has a real client",
    "docs/document.md: git clone git@example.org:team/plans.git": "a network; tests/document/test_across_machines.py",
    "docs/api.md: graphbus serve agents/            # a pr": "a server; tests/http starts one",
    "docs/api.md: from graphbus_core.http.client import Gr": "a server; tests/http speaks to one with this client",
    "docs/beyond-one-process.md: $ pip install 'graphbus-core[nats,otel]": "a collector; tests/runtime/telemetry has one",
    "docs/red-lines.md: NOT       not, no, never, not ever, not": "a grammar; tests/consent/test_red_lines.py compares it",
    "docs/red-lines.md: line     -> <part> | <part> EITHER => sa": "a grammar; tests/consent/test_red_lines.py compares it",
    "docs/consent.md: graphbus consent ask decision.yaml --lin": "people behind links, and a server; tests/consent/test_seat_links.py has both",
    "docs/land.md: graphbus land fee discount": "two branches of a repository; tests/commit/landing lands such",
    "docs/land.md: graphbus land fee --ask": "two owners at a table; tests/commit/landing/test_ask.py plays them",
    "README.md: $ git merge-tree --write-tree --messages": "four branches of a repository; tests/commit/landing has such",
    "docs/team.md: graphbus team start --task TASK.md     #": "two working trees of a repository; tests/team has them",
    "docs/team.md: shop/cart.py::total: add parameter curre": "a plan; tests/team/test_plan.py reads its forms",
    "docs/team.md: Question q-5bd8 to you and ada: ada chan": "what is printed, not code; tests/team has this overlap",
    "docs/team.md: @accept q-5bd8 74cd": "words at the table; tests/team says such",
    "docs/commit.md: Proposal: p-a3f2": "a text, not code; tests/commit/test_engine.py holds these trailers",
    'docs/concepts.md: flowchart LR subgraph sources["your sour': "a picture",
    "docs/contracts.md: graphbus contracts check PRODUCER CONSUM": "a list of forms; the options in it are checked below",
    "docs/contracts.md: graphbus contracts can-i-use takes.json": "files of two repositories; tests/interface has them",
    "skill/skills/agree/SKILL.md: graphbus contracts can-i-use takes.json": "the same",
    "docs/contracts.md: repos:": "a network",
    "docs/two-repositories.md: graphbus agree orders --trust names --pr": "two repositories; tests/interface has such a pair",
    "docs/two-repositories.md: pip install . annotated-types": "a network; tests/interface has such a pair",
    "docs/two-repositories.md: git add -A && git commit -m contract &&": "two repositories; tests/interface has such a pair",
    'docs/two-repositories.md: graphbus contracts verify --tests "pytho': "two repositories; tests/interface has such a pair",
    "docs/two-repositories.md: jobs:": "a network",
    "docs/two-repositories.md: git checkout -b refunds": "two repositories; tests/interface has such a pair",
    "docs/two-repositories.md: graphbus contracts record-deployment pro": "two repositories; tests/interface has such a pair",
    "docs/two-repositories.md: graphbus contracts stub orders": "two repositories; tests/interface has such a pair",
    'docs/findings.md: Cart.total -> {"sku": str, "amount": int': "a link as it is printed, not code",
    'docs/findings.md: @depends_on("Fetcher.fetch_all")  # the': "a line that is wrong on purpose; tests/findings holds every code",
    "docs/models.md: $ pip install 'graphbus-core[llm] @ git+": "a network and a key",
    "docs/models.md: from graphbus_core.build import BuildCon": "a key",
    'docs/architecture.md: flowchart TD subgraph L0[" "]': "a picture; tests/structure draws it anew",
    "docs/negotiation.md: stateDiagram-v2 start --> between_rounds": "a picture; tests/negotiation draws it from the tables",
    "docs/negotiation.md: stateDiagram-v2 new --> tabled: proposal": "a picture; tests/negotiation draws it from the tables",
    "docs/runtime.md: $ graphbus run .graphbus --reload": "it runs until it is stopped; tests/runtime/reload runs both roads",
    "docs/runtime.md: if TYPE_CHECKING:": "a stub for type checkers; tests/e2e/test_evidence.py runs mypy on one",
    'CONTRIBUTING.md: make mutations ROOM=contracts ARGS="--on': "minutes of processor time; on demand",
    "skill/SKILL.md: graphbus negotiate say DIR --seat FILE -": "a seat of a running negotiation; tests/document plays such turns",
    "skill/skills/team/SKILL.md: graphbus team join NAME --worktree     #": "a seat of a team; tests/team plays such turns",
    "skill/skills/agree/SKILL.md: graphbus agree orders --producer shop --": "a seat of a running agreement; tests/interface plays one",
}

# Why one command of a block is not run: what stands in it -> the reason.
NOT_CALLED = {
    "ollama:": "a model",
    "anthropic:": "a key",
    "../shared": "files that are not here",
    "path/to": "files that are not here",
    "--human": "a person",
    "--approve": "a person",
    "consent ask": "a person",
    "undo p-": "an id that each run gives anew; tests/commit undoes some",
    '--verify "make check"': "a project with a Makefile",
    "negotiate start": "the other side, which it waits for; tests/document plays both",
    "--seat FILE": "a seat that each start gives anew; tests/document plays such turns",
    "git diff": "git's own command",
}


def test_every_block_is_run_or_says_why_not() -> None:
    """A new block needs a line in one of the tables; a line whose block is gone goes, too."""
    assert len(BLOCKS) > 60
    others = [block for block in blocks() if block not in TUTORIAL]  # played in their order, and never by their key
    assert len(BLOCKS) - len(TUTORIAL_KEYS) == len(others), (
        "two blocks of a page begin alike: one hides the other, so change a first line"
    )
    known = {*NOT_RUN, *SHELL, *PYTHON, *OTHERS, *MANY, *TUTORIAL_KEYS}
    assert sorted(set(BLOCKS) - known) == [], "run these blocks, or say in NOT_RUN why not"
    assert sorted(known - set(BLOCKS)) == [], "these blocks are gone"
    assert len(known) == sum(map(len, (NOT_RUN, SHELL, PYTHON, OTHERS, MANY, TUTORIAL_KEYS)))


def test_every_picture_is_there_and_shown() -> None:
    """A page that names a picture has it, and no picture is kept that no page names."""
    named = set()
    for page in PAGES:
        for target in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text("utf-8")):
            if not target.startswith("http"):
                named.add((page.parent / target).resolve())
    assert [str(one) for one in named if not one.is_file()] == []
    assert sorted(named) == sorted((ROOT / "docs/images").glob("*.png"))


# ---- commands

# block -> (the folder of the examples that it is run in, "" for their parent; the exit code of each command)
SHELL: dict[str, tuple[str, list[int]]] = {
    "README.md: graphbus infer .    # your project, as i": ("hello", [0, 0]),
    "README.md: graphbus validate agents/": ("shop", [0, 0, 0, 0, 1]),
    "README.md: graphbus consent run examples/consent/st": ("", [0]),
    'README.md: graphbus negotiate start plans/ "One pla': ("plans", []),
    "docs/adopt.md: $ graphbus baseline .": ("news_pipeline", [0]),
    "docs/adopt.md: $ graphbus validate agents --against git": ("news_pipeline", [0]),
    "docs/beyond-one-process.md: $ graphbus build examples/hello": ("", [0, 0]),
    "docs/build.md: graphbus validate examples/news_pipeline": ("", [1, 0, 0, 0]),
    "docs/commit.md: graphbus build agents/ --enable-agents": ("news_pipeline", [1, 1, 1, 1]),
    "docs/consent.md: graphbus consent run examples/consent/st": ("", [0, 0]),
    'docs/consent.md: graphbus consent run "Use negotiation fo': ("", [0]),
    "docs/consent.md: graphbus consent ask decision.yaml --out": ("", []),
    "docs/consent.md: graphbus consent why": ("decided", [0, 0]),
    'docs/document.md: graphbus negotiate start plans/ "One pla': ("plans", []),
    'docs/document.md: graphbus negotiate run plans/ --topic "O': ("plans", []),
    "docs/runtime.md: $ graphbus build examples/hello --output": ("", [0, 0]),
    "docs/runtime.md: $ graphbus run .graphbus dead-letters": ("built", [0, 0, 0, 0]),
    "examples/consent/README.md: graphbus consent run examples/consent/st": ("", [0, 0, 0, 0, 0]),
    "examples/hello/README.md: graphbus build examples/hello": ("", [0, 0, 0]),
    "examples/news_pipeline/README.md: graphbus validate agents": ("news_pipeline", [1, 1, 0, 0, 0, 0]),
    "examples/orders/README.md: $ cd examples/orders": ("", [0, 1, 0, 0, 1, 0]),
}


@pytest.mark.parametrize("key", SHELL)
def test_commands_end_as_the_documents_say(key: str, here: Path) -> None:
    """Each command of the block, one after the other in one folder; its exit code is what the text around it says."""
    kind, codes = SHELL[key]
    at = folder(here, kind)
    called = [c for c in BLOCKS[key].commands() if not any(word in c for word in NOT_CALLED)]
    assert len(called) == len(codes), called
    for command, code in zip(called, codes, strict=True):
        if command.startswith("cd "):
            at = at / command.removeprefix("cd ")
            continue
        run("test ! -d .git || { git -c user.name=a -c user.email=a@b commit -qam more; }", at)
        done = run(command, at)
        assert done.returncode == code, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        assert "Traceback" not in done.stderr or "python run.py" in command, command


def test_what_is_not_called_has_options_that_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that needs a key or a person can be wrong all the same: each of its options stands in the help.
    So can one inside a sentence: the skills named `--seat Cleaner=mcp` and `graphbus consent FILE` for months."""
    said = [
        (block.key, command)
        for block in BLOCKS.values()
        for command in (block.commands() if block.language in ("sh", "bash", "console", "") else ())
        if command.startswith("graphbus ")
    ]
    for page in PAGES:
        text = re.sub(r"^```.*?^```", "", (ROOT / page).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
        said += [(page.name, " ".join(span.split())) for span in re.findall(r"(?<!`)`(graphbus [^`]+)`(?!`)", text)]
    monkeypatch.setenv("COLUMNS", "200")
    wrong = []
    for where, command in said:
        words = [w for w in command.partition("<<")[0].split() if w != "graphbus"]
        path = [w for w in words[:2] if re.fullmatch(r"[a-z-]+", w) and not w.startswith("-")]
        help_ = _help(path) or _help(path[:1])
        options = re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", command.partition("<<")[0])
        wrong += [f"{where}: {command[:60]}: {o}" for o in options if o not in help_]
        misses = len(words) > 1 and "COMMAND [ARGS]" in help_ and words[1] not in ("--help", "…")
        if path and (not help_ or misses):
            wrong.append(f"{where}: {command[:60]}: no such command")
    assert wrong == []


_HELP: dict[tuple[str, ...], str] = {}


def _help(path: list[str]) -> str:
    key = tuple(path)
    if key not in _HELP:
        said = io.StringIO()
        with redirect_stdout(said), redirect_stderr(io.StringIO()):
            code = main([*path, "--help"])
        _HELP[key] = said.getvalue() if code == 0 else ""
    return _HELP[key]


def test_every_file_that_a_page_names_is_there() -> None:
    """Two pages named files that had moved to other rooms."""
    there = "\n".join(f"/{path.relative_to(ROOT).as_posix()}" for room in HOUSE for path in (ROOT / room).rglob("*.py"))
    gone = [
        f"{page.name}: {name}"
        for page in PAGES
        for name in re.findall(r"`([\w-]+/[\w./-]*\w\.py)(?::\d+)?`", page.read_text("utf-8"))
        if not name.startswith("agents/") and f"/{name}\n" not in f"{there}\n"
    ]
    assert gone == []


# ---- Python, and what is not a command


@pytest.mark.parametrize("key", PYTHON)
def test_python_does_what_its_comments_say(key: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The block is executed with what the text around it has introduced."""
    monkeypatch.chdir(here)
    PYTHON[key](here)  # asserts what the comments say


@pytest.mark.timeout(300)
def test_two_processes_do_what_the_page_says(here: Path) -> None:
    """The commands of MANY, with a server of the test's own."""
    refused = over_nats.two_processes(here, *(BLOCKS[key] for key in MANY))  # asserts each command's code and text
    assert refused == 1, "a build whose contract changed alone ends with a finding"


@pytest.mark.parametrize("key", OTHERS)
def test_settings_workflows_and_what_is_printed_are_as_shown(key: str, here: Path) -> None:
    """Read by what reads them in earnest."""
    OTHERS[key](here)  # raises where the block cannot be read, or says what is not so
