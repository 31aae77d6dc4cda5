"""A coding agent at the table, over HTTP: it claims a question, reads the project, tries, answers; or dies."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serving import V1, Served, until

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(120)
SECRETS = {
    ".env": "ANTHROPIC_API_KEY=sk-live-0123456789abcdef\n",
    ".env.production": "PASSWORD=hunter2\n",
    "deploy/server.key": "not shown by its name\n",
    "notes/credentials.json": "{}\n",
    "notes/pasted.txt": "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\n",
    "notes/leaked.md": "Use sk-live-0123456789abcdef0123 for now.\n",
    "ignored/thing.py": "print('never shown')\n",
}


class Seat(V1):
    """A program that speaks for agents."""

    def status(self, method: str, path: str, body: Any = None) -> int:
        """For what must not succeed."""
        return self.http.request(method, path, json=body).status_code

    def build(self, *people: str) -> str:
        """Start a build in which these agents' questions lie on the desk."""
        return str(self("POST", "/builds", {"humans": list(people), "rounds": 1, "model": "rules"})["id"])

    def claim(self, to: str, lease_s: float = 60) -> dict[str, Any]:
        """Claim a question of this agent, as soon as there is one."""

        def look() -> dict[str, Any] | None:
            made: dict[str, Any] = self("POST", "/claims", {"to": to, "lease_s": lease_s})
            return made if made["question"] else None

        return until(look) or {}

    def ended(self, run: str) -> dict[str, Any]:
        """The build, once it is over."""

        def look() -> dict[str, Any] | None:
            told: dict[str, Any] = self("GET", f"/builds/{run}")
            return told if told["state"] != "running" else None

        return until(look) or {}


def git(folder: Path, *words: str) -> None:
    """Run git there."""
    who = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, timeout=30)


@pytest.fixture
def seat(serve: Serve) -> Iterator[tuple[Seat, Path]]:
    served = serve("news_pipeline")
    folder = Path(served.folder)
    for path, text in SECRETS.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    (folder / "outside").symlink_to("/etc/hostname")
    (folder / ".gitignore").write_text("ignored/\n")
    git(folder, "init", "-q")
    git(folder, "add", "-A", "-f", ".")  # -f: what was ignored is tracked by mistake, as it happens
    git(folder, "commit", "-qm", "all of it")
    (folder / "untracked.py").write_text("never = 'committed'\n")
    one = Seat(served)
    yield one, folder
    one.http.close()


def test_the_map_is_what_git_tracks_and_no_secret(seat: tuple[Seat, Path]) -> None:
    """Whatever stands on the disk beside it; and what is not on the map cannot be read either."""
    ask, _ = seat
    paths = [one["path"] for one in ask("GET", "/map?limit=1000")["items"]]
    assert "agents/__init__.py" in paths or any(p.startswith("agents/") for p in paths)
    hidden = {".env", ".env.production", "deploy/server.key", "notes/credentials.json", "ignored/thing.py"}
    assert not hidden & set(paths)
    for path in (*sorted(hidden), "untracked.py", "outside", "../../etc/hostname", "/etc/hostname", "notes/pasted.txt"):
        assert ask.status("GET", f"/files/{path}") == 404, path
    assert "sk-live" not in ask("GET", "/files/notes/leaked.md")["text"]


def test_a_file_comes_in_parts(seat: tuple[Seat, Path]) -> None:
    """From a character on; the parts put together are the file."""
    ask, folder = seat
    path = next(one["path"] for one in ask("GET", "/map")["items"] if one["path"].endswith(".py") and one["bytes"])
    whole = (folder / path).read_text()
    assert ask("GET", f"/files/{path}")["text"] == whole
    assert ask("GET", f"/files/{path}?offset=10")["text"] == whole[10:]


def test_an_agent_claims_reads_tries_and_answers(seat: tuple[Seat, Path]) -> None:
    """Nobody else can answer meanwhile, and what it proposes is decided like anything else."""
    ask, folder = seat
    run = ask.build("CleanerService")
    claim = ask.claim("CleanerService")
    question, lease = claim["question"], claim["lease"]
    assert question["kind"] == "propose"
    assert ask("POST", "/claims", {"to": "CleanerService"})["question"] is None
    assert ask.status("POST", f"/questions/{question['id']}/answer", {"proposals": []}) == 409
    card = question["about"]["card"]
    assert card["name"] in ask("GET", f"/files/{card['file']}")["text"]
    method = card["methods"][0]["name"]
    diff = [{"op": "set_docstring", "node": "CleanerService", "method": method, "text": "Tried first."}]
    assert ask("POST", "/try", {"diff": diff})["passes"], "a docstring breaks nothing"
    assert ask("POST", f"/claims/{lease}/renew")["lease_s"] == 60
    assert ask.status("POST", f"/claims/{lease}/answer", {"proposals": "many"}) == 422
    ask("POST", f"/claims/{lease}/answer", {"proposals": [{"summary": "say it", "rationale": "docs", "diff": diff}]})
    assert ask.status("POST", f"/claims/{lease}/answer", {"proposals": []}) == 404
    while ask("GET", f"/builds/{run}")["state"] == "running":
        made = ask("POST", "/claims", {"to": "CleanerService"})
        if made["question"]:
            ask("POST", f"/claims/{made['lease']}/answer", {"decision": "accept", "reasoning": "fine"})
    assert ask.ended(run)["state"] == "done"
    assert "Tried first." in (folder / card["file"]).read_text()


def test_a_lease_that_ends_is_silence(seat: tuple[Seat, Path]) -> None:
    """The program died. The negotiation goes on without its answer, and says why."""
    ask, _ = seat
    run = ask.build("CleanerService")
    claim = ask.claim("CleanerService", lease_s=1)

    def step() -> bool:
        made = ask("POST", "/claims", {"to": "CleanerService"})  # later questions are answered: they are not the point
        if made["question"]:
            ask("POST", f"/claims/{made['lease']}/answer", {"decision": "accept", "reasoning": "fine"})
        return bool(ask("GET", f"/builds/{run}")["state"] != "running")

    until(step)
    assert ask.ended(run)["state"] == "done"
    assert ask.status("POST", f"/claims/{claim['lease']}/answer", {"proposals": []}) == 404
    facts = ask("GET", f"/negotiations/{ask('GET', '/negotiations')['items'][0]['id']}/facts?limit=1000")["items"]
    silent = [one for one in facts if one["kind"] == "proposer_silent"]
    assert len(silent) == 1, [one["kind"] for one in facts]
    assert "claimed" in str(silent[0])


def test_a_question_that_is_given_back_can_be_claimed_again(seat: tuple[Seat, Path]) -> None:
    """It is nobody's silence: another takes it."""
    ask, _ = seat
    run = ask.build("CleanerService")
    first = ask.claim("CleanerService")
    ask("DELETE", f"/claims/{first['lease']}")
    assert ask.status("DELETE", f"/claims/{first['lease']}") == 404
    second = ask.claim("CleanerService")
    assert second["question"]["id"] == first["question"]["id"]
    assert second["lease"] != first["lease"]
    ask("POST", f"/builds/{run}/cancel")
    assert ask.ended(run)["state"] == "cancelled"
