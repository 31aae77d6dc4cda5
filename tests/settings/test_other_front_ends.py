"""What the page, the API and `serve` start has the settings of the project, as a command has: nothing slips by them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from clients.road import LINK, RENAME
from graphbus_core.cli.examples import example
from graphbus_core.config import BuildConfig
from graphbus_core.errors import UsageError
from graphbus_core.http import server
from graphbus_core.services import Workspace, builds
from graphbus_core.services.queries.negotiations import NegotiationShelf
from graphbus_core.testing import write_files
from tests import forking
from tests.serving import Served, declare_items, serve, until
from tests.settings.test_effects import CONFIGURED, options, project, say, setting

__all__ = ["project", "serve"]  # fixtures
pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def opened() -> Iterator[Callable[..., Workspace]]:
    """Workspaces as a server opens them; closed again."""
    made: list[Workspace] = []

    def start(*given: Any, **more: Any) -> Workspace:
        made.append(Workspace(*given, **more))
        return made[-1]

    yield start
    for one in made:
        one.close()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[BuildConfig]:
    """What each build of a front end was asked for; none is made."""
    seen: list[BuildConfig] = []

    def build(config: BuildConfig, hooks: object) -> None:
        seen.append(config)
        raise UsageError("only looked at")

    monkeypatch.setattr(builds, "build_project", build)
    return seen


def ended(workspace: Workspace, run: dict[str, Any]) -> Any:
    return until(lambda: (told := workspace.builds.get(run["id"]))["state"] != "running" and told)


def of_both(config: BuildConfig) -> BuildConfig:
    """Without how the folders were reached."""
    return replace(config, root_package="x", output_dir="x")


@pytest.mark.parametrize("text", [text for _, text, _, _ in CONFIGURED])
def test_a_build_of_a_server_is_asked_for_what_one_of_the_command_line_is(
    project: Path, opened: Callable[..., Workspace], asked: list[BuildConfig], text: str
) -> None:
    """Every setting of a build, and the variable before the file; the whole of the two is the same."""
    plain = options()
    setting(project, text)
    workspace = opened(project / "agents", project / ".graphbus")
    ended(workspace, workspace.builds.start())
    ended(workspace, workspace.builds.start(enable_agents=False))
    assert of_both(asked[0]) == of_both(options()) != of_both(plain)
    assert of_both(asked[1]) == of_both(options(enable_agents=False))


def test_what_a_request_says_goes_before_the_settings(
    project: Path, opened: Callable[..., Workspace], asked: list[BuildConfig], monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a variable goes before the file; what is left out is theirs. A setting that cannot be is told at once."""
    setting(project, 'model = ["a:b"]\nrounds = 7\nverify = "make test"\npolicy = {approve = true, git = true}')
    monkeypatch.setenv("GRAPHBUS_FALLBACK_MODEL", "openai:x")
    workspace = opened(project / "agents", project / ".graphbus")
    ended(workspace, workspace.builds.start(rounds=2, model="rules", approve=False, verify="auto", intent="less"))
    one = asked[0]
    assert one.llm_config is not None
    assert (one.llm_config.model, one.llm_config.fallback_model, one.verify) == ("rules", "openai:x", "auto")
    assert (one.safety_config.max_negotiation_rounds, one.intent) == (2, "less")
    assert (one.enable_human_in_loop, one.git_commit) == (False, True)
    setting(project, "round = 2")
    with pytest.raises(UsageError, match="Did you mean `rounds`"):
        workspace.builds.start()


def test_what_a_plain_build_cannot_keep_is_refused(project: Path, opened: Callable[..., Workspace]) -> None:
    """As on the command line: who asks for a dry run of a build without agents believes that nothing is written."""
    workspace = opened(project / "agents", project / ".graphbus")
    for said in ({"dry_run": True}, {"verify": "auto"}, {"intent": "less"}, {"approve": True}, {"model": "rules"}):
        with pytest.raises(UsageError, match=f"^--{next(iter(said)).replace('_', '-')} is for a negotiation"):
            workspace.builds.start(enable_agents=False, **said)
    assert workspace.builds.list_builds() == []


def test_a_resumed_dry_run_says_that_it_is_one(
    project: Path, opened: Callable[..., Workspace], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it began as stands in its log; the request that goes on with it does not say it."""
    begun = SimpleNamespace(people=(), opened=SimpleNamespace(settings={"dry_run": True}))
    monkeypatch.setattr(builds, "find_unfinished", lambda folder: begun)
    made = SimpleNamespace(build_id="build-1", negotiations=["p-1"], negotiation=None)
    monkeypatch.setattr(builds, "build_project", lambda config, hooks: made)
    workspace = opened(project / "agents", project / ".graphbus")
    run = ended(workspace, workspace.builds.start(resume=True))
    assert (run["dry_run"], run["detail"]) == (True, "a dry run: 1 would be committed, nothing was changed")


def test_serve_without_a_path_opens_the_roots(
    project: Path, opened: Callable[..., Workspace], asked: list[BuildConfig], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One root, or several as one project; the build of it reads the same files as `graphbus build` does."""
    served: list[Any] = []
    monkeypatch.setattr(server, "serve", lambda *given: served.append(given))
    third = "from graphbus_core import GraphBusNode\n\n\nclass Third(GraphBusNode):\n    pass\n"
    write_files(project, {"other/second.py": third.replace("Third", "Second"), "third/third.py": third})
    for roots, names in (('["agents"]', {"Cart", "Bill"}), ('["agents", "other"]', {"Cart", "Bill", "Second"})):
        setting(project, f'roots = {roots}\noutput_dir = "out"')
        assert say("serve").startswith("0")
        path, folder, *_, include = served[-1]
        workspace = opened(path, folder, include=include)
        assert ({one["name"] for one in workspace.project.list_nodes()}, folder) == (names, Path("out"))
        ended(workspace, workspace.builds.start())
        assert of_both(asked[-1]) == of_both(options(path=None))
    setting(project, "rounds = 2")
    assert say("serve").startswith("0")
    assert served[-1][:2] == (Path("."), Path(".graphbus"))  # nothing was built: a folder without agents is served


def news(folder: Path, text: str) -> Path:
    """The example with links that do not fit, one of which an alias says how to mend, and with settings."""
    shutil.copytree(example("news_pipeline"), folder, ignore=shutil.ignore_patterns("__pycache__", ".graphbus"))
    declare_items(folder)
    setting(folder, text)
    return folder


def ended_at(http: httpx.Client, address: str) -> Any:
    """A build of a server, when it is over."""
    return until(lambda: (now := http.get(address).json())["state"] != "running" and now, 120)


def fates(folder: Path) -> tuple[list[tuple[str, ...]], str]:
    """Of the newest negotiation: what became of each proposal, and by whom; and all that was told of them."""
    shelf = NegotiationShelf(folder / ".graphbus")
    log = shelf.get(shelf.list_negotiations()[0]["id"])["log"]
    told = [one for part in log["rounds"] for one in part["proposals"]]
    return [(one["proposer"], one["outcome"], one["decided_by"]) for one in told], json.dumps(told)


@pytest.mark.parametrize(
    ("text", "why"), [('verify = "false"', "verify"), ('policy = {protect = ["agents/"]}', "protected_files")]
)
def test_a_build_over_the_api_refuses_as_the_command_line_does(
    serve: Callable[..., Served], tmp_path: Path, text: str, why: str
) -> None:
    """With the real command and the real server: what may not land there does not land here, on either edition."""
    text = f'roots = ["agents"]\nrounds = 1\n{text}'
    by_command, served = news(tmp_path / "command", text), serve(news(tmp_path / "served", text))
    before = {file: file.read_bytes() for file in (served.folder / "agents").rglob("*.py")}
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GRAPHBUS_")}
    command = [sys.executable, "-m", "graphbus_core.cli.main", "build", "--enable-agents", "--model", "rules"]
    forking.run(command, cwd=by_command, env=clean, capture_output=True, timeout=120, stdin=subprocess.DEVNULL)
    wanted, said = fates(by_command)
    assert wanted
    assert "committed" not in {outcome for _, outcome, _ in wanted}
    assert why in said
    for edition in ("", "/api/v1"):
        with httpx.Client(headers={"Authorization": f"Bearer {served.token}"}, timeout=60) as http:
            run = http.post(f"{served.url}{edition}/builds", json={"model": "rules"}).json()["id"]
            told = ended_at(http, f"{served.url}{edition}/builds/{run}")
        assert (told["state"], told["committed"]) == ("done", 0)
        assert fates(served.folder)[0] == wanted
    assert before == {file: file.read_bytes() for file in (served.folder / "agents").rglob("*.py")}


def test_a_trial_a_fork_and_an_undo_hold_to_the_settings(tmp_path: Path, opened: Callable[..., Workspace]) -> None:
    """A trial says beforehand what a build would refuse; a dry run from a fact and an undo refuse it, too."""
    strict = 'verify = "false"\npolicy = {protect = ["agents/*er.py"]}'
    folder = news(tmp_path / "news", strict)
    workspace = opened(folder / "agents", folder / ".graphbus")
    tried = workspace.changes.try_diff([RENAME])
    assert not tried["passes"]
    assert "is protected" in tried["reason"]
    setting(folder, "rounds = 2")
    assert workspace.changes.try_diff([RENAME])["passes"]
    worse = workspace.changes.try_diff([{**RENAME, "to": "stories"}])
    assert worse["breaks"] == [LINK]  # what the gate names, beside the field that failed before
    assert LINK in worse["reason"]
    setting(folder, 'rounds = 2\nverify = "false"')
    assert "--verify false is run by the build" in str(workspace.changes.try_diff([RENAME])["gates"])
    setting(folder, "rounds = 2")
    assert ended(workspace, workspace.builds.start(model="rules"))["committed"] > 0
    negotiation = workspace.negotiations.list_negotiations()[0]["id"]
    log = workspace.negotiations.get(negotiation)["log"]
    done = [one["id"] for part in log["rounds"] for one in part["proposals"] if one["outcome"] == "committed"]
    assert ended(workspace, workspace.fork(negotiation, 1, "rules"))["committed"] > 0
    assert workspace.changes.undo(done[-1], dry_run=True, allow_mismatches=True)["passes"]
    setting(folder, strict)
    run = ended(workspace, workspace.fork(negotiation, 1, "rules"))
    assert (run["state"], run["committed"]) == ("done", 0)
    assert "must not be changed" in json.dumps(
        workspace.negotiations.get(workspace.negotiations.list_negotiations()[0]["id"])
    )
    undone = workspace.changes.undo(done[-1], dry_run=True, allow_mismatches=True)
    assert (undone["passes"], undone["gate"]) == (False, "verify")
