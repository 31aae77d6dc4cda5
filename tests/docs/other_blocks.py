"""Settings, workflows, answers and printed text of the documents: OTHERS, from a key to what reads it in earnest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import yaml

from tests.docs.blocks import ROOT
from tests.docs.running import BLOCKS, folder, run


def _workflow(key: str, example: str, codes: list[int]) -> Callable[[Path], None]:
    """Each `run: graphbus …` of a workflow ends as it should; the rest is GitHub's."""

    def check(here: Path) -> None:
        steps = yaml.safe_load(BLOCKS[key].text)["jobs"]["contracts"]["steps"]
        lines = [step["run"] for step in steps if step.get("run", "").startswith("graphbus")]
        at = folder(here, example)
        if "git:" in lines[0]:
            (at / "schemas").mkdir()
            (at / "schemas" / "order.json").write_text('{"type": "object", "properties": {"sku": {"type": "string"}}}')
            run("git add . && git -c user.name=a -c user.email=a@b commit -qm two", at)
            run("git update-ref refs/remotes/origin/main HEAD", at)
        assert [run(line, at).returncode for line in lines] == codes

    return check


def _hook(here: Path) -> None:
    (hook,) = yaml.safe_load(BLOCKS["docs/adopt.md: # .pre-commit-config.yaml"].text)["repos"][0]["hooks"]
    assert run(hook["entry"], folder(here, "hello")).returncode == 0


def _action(here: Path) -> None:
    """The action takes what the document gives it; tests/findings/test_hook_and_action.py runs it."""
    steps = yaml.safe_load(BLOCKS["docs/adopt.md: steps:"].text)["steps"]
    (given,) = [one["with"] for one in steps if one["uses"].startswith("graphbus/")]
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    assert set(given) <= set(action["inputs"])


def _printed(key: str) -> Callable[[Path], None]:
    """What a command is shown to print is what it prints."""

    def check(here: Path) -> None:
        done = run("graphbus validate agents", folder(here, "news_pipeline"))
        assert BLOCKS[key].text.strip() in done.stdout, done.stdout

    return check


def _diff(here: Path) -> None:
    """Each line that the README shows as removed stands in the pipeline, as added in what the agents agree."""
    at = folder(here, "news_pipeline")
    before = (at / "agents/cleaner.py").read_text("utf-8")
    run("graphbus build agents --enable-agents --answers answers.yaml", at)
    after = (at / "agents/cleaner.py").read_text("utf-8")
    for line in BLOCKS["README.md: -            'items': list[Headline],"].text.splitlines():
        assert (line[0], line[1:] in before.splitlines(), line[1:] in after.splitlines()) in (
            ("-", True, False),
            ("+", False, True),
        ), line


def _scenario(here: Path) -> None:
    (here / "storage.yaml").write_text(BLOCKS["docs/consent.md: topic: Where the order history is kept"].text)
    done = run("graphbus consent run storage.yaml", here)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert "decision" in done.stdout + done.stderr


def _settings(key: str, command: str) -> Callable[[Path], None]:
    def check(here: Path) -> None:
        at = folder(here, "hello")
        (at / "pyproject.toml").write_text(BLOCKS[key].text)
        done = run(command, at)
        assert done.returncode == 0, done.stdout + done.stderr

    return check


def _components(here: Path) -> None:
    from graphbus_core.settings.effective import read_pyproject

    (here / "pyproject.toml").write_text(BLOCKS["docs/adopt.md: [tool.graphbus]"].text)
    assert list(read_pyproject(here / "pyproject.toml")) == ["components"]


def _holds(here: Path) -> None:
    """Every key of the block is a setting, with a value that it takes."""
    from graphbus_core.settings.effective import read_pyproject

    (here / "pyproject.toml").write_text(BLOCKS["docs/adopt.md: # pyproject.toml: what holds for every c"].text)
    assert {"budget.cost_usd", "policy.protect", "policy.approve"} < set(read_pyproject(here / "pyproject.toml"))


def _external(here: Path) -> None:
    from graphbus_core.settings.effective import read_pyproject

    (here / "pyproject.toml").write_text(BLOCKS["docs/adopt.md: # pyproject.toml"].text)
    assert list(read_pyproject(here / "pyproject.toml")) == ["external"]


def _beside(key: str, entry: str) -> Callable[[Path], None]:
    """A contracts file as it is shown: read by what reads it in earnest."""

    def check(here: Path) -> None:
        from graphbus_core.analysis.scan.contracts_file import read_contracts

        (here / "contracts.toml").write_text(BLOCKS[key].text)
        found = read_contracts(here / "contracts.toml")
        assert entry in {**found.entries, **found.fed}

    return check


def _answer(here: Path) -> None:
    """The two blocks of an answer are read, and the label is replaced by the code."""
    from graphbus_core.participants.llm.answer_reader import read_answer

    shown = (
        BLOCKS['docs/models.md: {"proposals": [{"type": "logic_improveme'].text,
        BLOCKS['docs/models.md: return {"items": [title.strip() for titl'].text,
    )
    body = read_answer(f"```json\n{shown[0]}\n```\n```python trim\n{shown[1]}\n```", {"type": "object"})
    assert body["proposals"][0]["diff"][0]["body"] == shown[1]


# These blocks of one page tell one story: they are run once, together.
MANY = (
    "docs/beyond-one-process.md: $ pip install 'graphbus-core[nats] @ git",
    "docs/beyond-one-process.md: $ graphbus run dead-letters list  --bus",
    "docs/beyond-one-process.md: graphbus: The contract of /Order/Created",
    "docs/beyond-one-process.md: from graphbus_core.runtime import Runtim",
    "docs/beyond-one-process.md: $ graphbus run consumers list   --bus na",
)


OTHERS: dict[str, Callable[[Path], None]] = {
    "README.md: ✗ GB101 FetcherService.fetch_headlines": _printed("README.md: ✗ GB101 FetcherService.fetch_headlines"),
    "README.md: -            'items': list[Headline],": _diff,
    "docs/adopt.md: # .github/workflows/contracts.yml": _workflow(
        "docs/adopt.md: # .github/workflows/contracts.yml", "hello", [0]
    ),
    "docs/adopt.md: # .pre-commit-config.yaml": _hook,
    "docs/adopt.md: steps:": _action,
    "docs/adopt.md: [tool.graphbus]": _components,
    "docs/adopt.md: # pyproject.toml": _external,
    "docs/adopt.md: # pyproject.toml: what holds for every c": _holds,
    "docs/adopt.md: [types.Line]                      # a re": _beside(
        "docs/adopt.md: [types.Line]                      # a re", "shop.cart:Cart.order"
    ),
    "docs/adopt.md: [external]": _beside("docs/adopt.md: [external]", "Billing.create_invoice"),
    "docs/build.md: ✗ GB101 FetcherService.fetch_headlines": _printed(
        "docs/build.md: ✗ GB101 FetcherService.fetch_headlines"
    ),
    "docs/consent.md: topic: Where the order history is kept": _scenario,
    "docs/contracts.md: [tool.graphbus.contracts]": _settings(
        "docs/contracts.md: [tool.graphbus.contracts]", "graphbus config"
    ),
    "docs/contracts.md: jobs:": _workflow("docs/contracts.md: jobs:", "hello", [0]),
    'docs/models.md: {"proposals": [{"type": "logic_improveme': _answer,
    'docs/models.md: return {"items": [title.strip() for titl': _answer,
    "docs/runtime.md: [[tool.graphbus.policy.rules]]": _settings(
        "docs/runtime.md: [[tool.graphbus.policy.rules]]", "graphbus config"
    ),
}
