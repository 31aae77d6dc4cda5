"""The two repositories as their users have them: two hosts, a working copy of each developer, and CI in fresh clones.

CI is what the examples' own workflow files say: their steps are run as they stand, and the step of GraphBus is the
script of `action.yml`. Only what needs the internet is left out: packages are linked in place of installed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples" / "two_repositories"
GRAPHBUS = [sys.executable, "-c", "from graphbus_core.cli.main import entry; entry()"]
SHOWS = {
    "shop": ["shop.orders:Order", "recorded/orders.jsonl"],
    "billing": ["schemas/order.json", "recorded/orders.jsonl", "coverage/lcov.info"],
}
TABLED = {"shop": ("producer", "shop.orders:Order"), "billing": ("consumer", "schemas/order.json")}
DECLARES = ("shop/orders.py", "schemas/order.json")
MOST_S = 1_200  # of one command: the machine may be busy, and what is measured is no time
RED = ("  ✗ ", "  ? ")
UNTESTED = ("no test shows ", "no test ran all that is changed ")


@dataclass(frozen=True)
class End:
    """What CI of one side said: its exit code, whether a red line has a payload, the first red line, and whether it
    names code that no test ran."""

    code: int
    has_payload: bool
    said: str
    names_untested: bool = False


def find_modules() -> Path | None:
    """Where TypeScript, the types of node and c8 are installed."""
    places = (EXAMPLES / "billing" / "node_modules", Path(os.environ.get("NODE_MODULES", "/nowhere")))
    for place in places:
        if all((place / name).exists() for name in (".bin/tsc", ".bin/c8", "@types/node")):
            return place
    return None


def find_free_port() -> int:
    """A port of this machine that nobody listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def git(folder: Path, *words: str) -> None:
    """git as somebody; it must work."""
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *who, *words], cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"git {' '.join(words)}: {done.stderr[-300:]}")


class World:
    """The two repositories of one change."""

    def __init__(self, folder: Path, *, by_rule: bool = True) -> None:
        self.folder = folder
        for name in SHOWS:
            git(folder, "init", "-q", "--bare", f"{name}.git")
            shutil.copytree(
                EXAMPLES / name, folder / name, ignore=shutil.ignore_patterns("node_modules", "__pycache__")
            )
            (folder / name / ".gitignore").write_text("dist/\ncoverage/\nnode_modules\n.graphbus/\n__pycache__/\n")
            git(folder / name, "init", "-q")
            git(folder / name, "remote", "add", "origin", f"../{name}.git")
        (folder / "billing" / "node_modules").symlink_to(find_modules() or "/nowhere")
        self._settle(by_rule)

    def copy_to(self, folder: Path) -> World:
        """The same repositories in another folder."""
        shutil.copytree(self.folder, folder, symlinks=True)
        world = World.__new__(World)
        world.folder = folder
        return world

    @property
    def _env(self) -> dict[str, str]:
        paths = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
        cache = str(self.folder / "cache")
        return {**os.environ, "PATH": paths, "XDG_CACHE_HOME": cache, "PYTHONDONTWRITEBYTECODE": "1"}

    def graphbus(self, where: str, *words: str) -> subprocess.CompletedProcess[str]:
        """A command of ours in one of the working copies."""
        return self._run([*GRAPHBUS, *words], where)

    def _run(self, words: list[str], where: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, cwd=self.folder / where, capture_output=True, text=True, env=self._env, timeout=MOST_S, check=False
        )

    def build(self, *names: str) -> None:
        """What a developer runs before a commit: record what is sent; or compile, and read what is recorded."""
        for words, where in (
            ([sys.executable, "-m", "tests.record_orders"], "shop"),
            (["npm", "run", "--silent", "build"], "billing"),
            (["npm", "--silent", "test"], "billing"),
        ):
            if where not in names:
                continue
            done = self._run(words, where)
            if done.returncode:
                raise RuntimeError(f"{where} is not healthy: {' '.join(words)}: {(done.stdout + done.stderr)[-400:]}")

    def _settle(self, by_rule: bool) -> None:
        """Both table what they have, sign it, and pin it."""
        both = ["--at", "contracts", "--trust", "names"]
        self.build(*SHOWS)
        self.table("shop", "shop", "--producer", "shop", "--consumer", "billing")
        self.table("billing", "shop")
        for side in ("producer", "consumer") if by_rule else ():
            self.graphbus("shop", "agree", "orders", *both, "--as", side, "--allow", "compatible")
        pair = json.loads(self.graphbus("shop", "agree", "orders", *both, "--json").stdout)["pair"]
        for side in ("producer", "consumer"):
            self.graphbus("shop", "agree", "orders", *both, "--as", side, "--accept", pair)
        for part in ("src", "dist"):
            shutil.copytree(self.folder / "billing" / part, self.folder / "built" / part)
        self.push("shop", "main")
        self.pin("shop", "contracts#orders", "--peer", "../billing.git")
        self.pin("billing", "../shop.git#orders")
        self._record_answers()
        for name in SHOWS:
            self.push(name, "main")

    def pin(self, name: str, target: str, *more: str) -> None:
        """`graphbus contracts pin`, with all that this side shows."""
        shows = [word for shown in SHOWS[name] for word in ("--show", shown)]
        pinned = self.graphbus(name, "contracts", "pin", target, "--as", TABLED[name][0], *shows, *more)
        if pinned.returncode:
            raise RuntimeError(pinned.stderr)

    def table(self, whose: str, clone: str, *more: str) -> bool:
        """A side tables what it has, in a clone of the shop's repository. Whether it is signed then."""
        side, source = TABLED[whose]
        if ":" not in source:
            source = str(self.folder / whose / source)
        words = ["agree", "orders", "--at", str(self.folder / clone / "contracts"), "--trust", "names", "--as", side]
        done = self.graphbus(whose, *words, *more, "--table", source)
        if done.returncode not in (0, 1):
            raise RuntimeError(done.stderr)
        return done.returncode == 0

    def push(self, name: str, branch: str) -> None:
        """Commit all that is there, and push it."""
        git(self.folder / name, "add", "-A")
        git(self.folder / name, "commit", "-q", "--allow-empty", "-m", "what is true now")
        git(self.folder / name, "push", "-q", "origin", f"HEAD:{branch}")

    def make(self, change: dict[str, Any]) -> dict[str, End]:
        """The change as its developer makes it, on a branch, and what both CIs say before anything is merged."""
        name = "shop" if change["side"] == "producer" else "billing"
        other = "billing" if name == "shop" else "shop"
        declared = self._edit(name, change["edits"])
        self.build(name)
        git(self.folder / name, "checkout", "-q", "-b", "change")
        self.push(name, "change")
        ends = {name: self.run_ci(name, "change")}
        branch = "main"
        if declared and ends[name].code:
            # CI says that what is declared no longer holds to the contract: it is tabled.
            if name == "shop":
                is_signed = self.table("shop", "shop")
            else:
                is_signed, branch = self._table_in_clone()
            if is_signed:
                self.pin(name, "contracts#orders" if name == "shop" else "../shop.git#orders")
            self.push(name, "change")
            ends[name] = self.run_ci(name, "change")
        ends[other] = self.run_ci(other, branch)
        return ends

    def _edit(self, name: str, edits: list[dict[str, str]]) -> bool:
        """Change the files; whether what is declared is among them."""
        for edit in edits:
            file = self.folder / name / edit["file"]
            text = file.read_text("utf-8")
            if text.count(edit["old"]) != 1:
                raise RuntimeError(f"{edit['file']}: {edit['old']!r} is there {text.count(edit['old'])} times")
            file.write_text(text.replace(edit["old"], edit["new"]), "utf-8")
        return any(edit["file"] in DECLARES for edit in edits)

    def _table_in_clone(self) -> tuple[bool, str]:
        """Billing tables its schema by a pull request to the shop. Signed by rule and green there, it is merged.
        Whether it was, and the branch of the shop that counts then."""
        git(self.folder, "clone", "-q", "shop.git", "clone")
        git(self.folder / "clone", "checkout", "-q", "-b", "change")
        is_signed = self.table("billing", "clone")
        self.push("clone", "change")
        if not is_signed or self.run_ci("shop", "change").code:
            return False, "change"
        git(self.folder / "clone", "push", "-q", "origin", "HEAD:main", ":change")
        return True, "main"

    def _record_answers(self) -> None:
        """Billing keeps what its service answers now."""
        port = find_free_port()
        service = subprocess.Popen(
            ["npm", "--silent", "start"],
            cwd=self.folder / "billing",
            env={**self._env, "PORT": str(port)},
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            url = f"http://127.0.0.1:{port}/orders"
            done = self.graphbus("billing", "contracts", "record-answers", "orders", "--against", url)
        finally:
            os.killpg(service.pid, signal.SIGKILL)
        if done.returncode:
            raise RuntimeError(done.stderr)

    def run_ci(self, name: str, branch: str) -> End:
        """Run the workflow of a repository on a branch, in a fresh clone."""
        place = self.folder / "ci"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        # Beside the hosts as a checkout would be: the paths of the locks are addresses of hosts.
        git(self.folder, "clone", "-q", "--branch", branch, f"{name}.git", "ci")
        port = str(find_free_port())
        text = (place / ".github" / "workflows" / "contracts.yml").read_text("utf-8").replace("8000", port)
        steps = yaml.safe_load(text)["jobs"]["contracts"]["steps"]
        groups: list[int] = []
        try:
            for step in steps:
                done = self._run_step(step, place, branch, groups)
                if done is not None:
                    return done
        finally:
            for group in groups:
                try:
                    os.killpg(group, signal.SIGKILL)
                except ProcessLookupError:
                    continue
        raise RuntimeError(f"the workflow of {name} has no step of GraphBus")

    def _run_step(self, step: dict[str, Any], place: Path, branch: str, groups: list[int]) -> End | None:
        """One step; an End where CI ends with it."""
        script, env = step.get("run", ""), self._env
        if script.startswith(("pip install", "npm install")):
            if script.startswith("npm"):
                (place / "node_modules").symlink_to(find_modules() or "/nowhere")
            return None
        if script == "npm run build":
            # A compiler gives the same for the same source: then what the working copy compiled is taken.
            compiled = self.folder / "billing"
            if read_texts(compiled / "src") == read_texts(place / "src"):
                shutil.copytree(compiled / "dist", place / "dist")
                return None
        is_ours = str(step.get("uses", "")).startswith("graphbus/")
        if is_ours:
            script, more = read_action(step["with"], branch)
            env = env | more | {"BEFORE": self._link_packages(more["BEFORE"])}
        elif not script:
            return None
        output = self.folder / f"ci{len(groups)}.txt"  # a service that was started goes on writing to its own
        with output.open("w") as out:
            process = subprocess.Popen(
                ["bash", "-e", "-c", script], cwd=place, stdout=out, stderr=out, env=env, start_new_session=True
            )
            groups.append(process.pid)
            code = process.wait(timeout=MOST_S)
        said = output.read_text("utf-8", "replace")
        if code and not is_ours:
            raise RuntimeError(f"CI: {script}: {said[-300:]}")
        return read_end(code, said) if is_ours else None

    def _link_packages(self, command: str) -> str:
        """What starts the service before, as in a checkout: packages are linked, and what is compiled is taken where
        its source is the same."""
        built = self.folder / "built"
        build = f"( diff -rq src {built}/src && cp -r {built}/dist dist || npm run build )"
        return command.replace("npm install", f"ln -s {find_modules()} node_modules").replace("npm run build", build)


def read_texts(folder: Path) -> dict[str, str]:
    """The text of each file of a folder."""
    return {file.name: file.read_text("utf-8") for file in sorted(folder.iterdir())}


def read_action(given: dict[str, str], branch: str) -> tuple[str, dict[str, str]]:
    """The script of action.yml, and its environment, as a workflow calls it."""
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    inputs = {name: given.get(name, about.get("default", "")) for name, about in action["inputs"].items()}
    values = {f"inputs.{name}": value for name, value in inputs.items()} | {
        "github.head_ref || github.ref_name": branch
    }
    step = action["runs"]["steps"][-1]
    env = {name: re.sub(r"\$\{\{ (.*?) \}\}", lambda m: values[m[1]], text) for name, text in step["env"].items()}
    return step["run"], env | {"GITHUB_REF_NAME": branch}


def read_end(code: int, said: str) -> End:
    """What a reader of CI sees: red lines, and a payload below one."""
    lines = said.splitlines()
    red = [number for number, line in enumerate(lines) if line.startswith(RED)]
    has_payload = any("payload  " in "".join(lines[number + 1 : number + 2]) for number in red)
    first = lines[red[0]].strip() if red else "" if code == 0 else said.strip()[-300:]
    return End(code, has_payload, first, any(word in line for word in UNTESTED for line in lines))
