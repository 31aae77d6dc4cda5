"""40 changes of two repositories, written by a stranger: does CI say so before anything is deployed?

    python benchmarks/two_repositories.py [--cases benchmarks/cases/two_repositories] [--only 07]

For each change: two fresh git repositories (examples/two_repositories), the contract signed by both, both green. The
edit is made on one side. Then what its developer does: run the tests that record, and table what schema or types say
now. Then both CIs: `graphbus contracts verify`, billing with its compiled service running. Needs node, and tsc or
esbuild. Prints one line a change and the figures: breaking ones found, with payload; harmless ones green; and what
passed by ignorance.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples" / "two_repositories"
GRAPHBUS = [sys.executable, "-c", "from graphbus_core.cli.main import entry; entry()"]
SHOWS = {
    "shop": ["shop.orders:Order", "recorded/orders.jsonl"],
    "billing": ["schemas/order.json", "recorded/orders.jsonl"],
}
TABLED = {"shop": ("producer", "shop.orders:Order"), "billing": ("consumer", "schemas/order.json")}


def run(words: list[str], folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """A command in a folder."""
    environment = {**os.environ, **env}
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, env=environment, timeout=120, check=False)


def git(folder: Path, *words: str) -> None:
    """git as somebody; it must work."""
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def find_compiler() -> tuple[list[str], Path | None]:
    """What makes JavaScript of TypeScript here: tsc with the types of node, or esbuild."""
    for place in (EXAMPLES / "billing" / "node_modules", Path(os.environ.get("NODE_MODULES", "/nowhere"))):
        if (place / ".bin" / "tsc").exists() and (place / "@types" / "node").exists():
            return [str(place / ".bin" / "tsc")], place
    esbuild = ROOT / "page" / "node_modules" / ".bin" / "esbuild"
    if esbuild.exists():
        return [str(esbuild), "src/order.ts", "src/server.ts", "--outdir=dist", "--format=esm"], None
    return [], None


class World:
    """The two repositories of one change."""

    def __init__(self, folder: Path, *, by_rule: bool = True) -> None:
        self.folder = folder
        self.env = {"XDG_CACHE_HOME": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
        self.compiler, modules = find_compiler()
        for name in SHOWS:
            shutil.copytree(
                EXAMPLES / name, folder / name, ignore=shutil.ignore_patterns("node_modules", "dist", "__pycache__")
            )
            (folder / name / ".gitignore").write_text("dist/\nnode_modules\n.graphbus/\n__pycache__/\n")
            git(folder / name, "init", "-q")
        if modules is not None:
            (folder / "billing" / "node_modules").symlink_to(modules)
        self.build()
        self.settle(by_rule)

    def copy_to(self, folder: Path) -> World:
        """The same repositories in another folder."""
        shutil.copytree(self.folder, folder, symlinks=True)
        world = copy.copy(self)
        world.folder, world.env = folder, {**self.env, "XDG_CACHE_HOME": str(folder / "cache")}
        return world

    def graphbus(self, where: str, *words: str) -> subprocess.CompletedProcess[str]:
        """A command of ours in one of the repositories."""
        return run([*GRAPHBUS, *words], self.folder / where, **self.env)

    def build(self) -> None:
        """Record what the shop's tests send, compile billing, and run its tests."""
        for words, where in (
            ([sys.executable, "-m", "tests.record_orders"], "shop"),
            (self.compiler, "billing"),
            (["node", "tests/read_orders.mjs"], "billing"),
        ):
            done = run(words, self.folder / where)
            if done.returncode:
                raise RuntimeError(
                    f"{where} is not healthy: {' '.join(words[-2:])}: {(done.stdout + done.stderr)[-400:]}"
                )

    def settle(self, by_rule: bool) -> None:
        """Both table what they have, sign it, and pin it."""
        both = ["--at", "contracts", "--trust", "names"]
        self.table("shop", "shop", "--producer", "shop", "--consumer", "billing")
        self.table("billing", "shop")
        for side in ("producer", "consumer"):
            if by_rule:
                self.graphbus("shop", "agree", "orders", *both, "--as", side, "--allow", "compatible")
        pair = json.loads(self.graphbus("shop", "agree", "orders", *both, "--json").stdout)["pair"]
        for side in ("producer", "consumer"):
            self.graphbus("shop", "agree", "orders", *both, "--as", side, "--accept", pair)
        self.commit("shop")
        for name, (side, _) in TABLED.items():
            source = "contracts" if name == "shop" else "../shop"
            shows = [word for shown in SHOWS[name] for word in ("--show", shown)]
            pinned = self.graphbus(name, "contracts", "pin", f"{source}#orders", "--as", side, *shows)
            assert pinned.returncode == 0, pinned.stderr
            self.commit(name)

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

    def commit(self, name: str) -> None:
        """Commit all that is there."""
        git(self.folder / name, "add", "-A")
        git(self.folder / name, "commit", "-q", "--allow-empty", "-m", "what is true now")

    def edit(self, change: dict[str, Any]) -> None:
        """Make the change of the stranger, and what a developer does behind it: the tests, and the table."""
        name = "shop" if change["side"] == "producer" else "billing"
        declared = False
        for edit in change["edits"]:
            file = self.folder / name / edit["file"]
            text = file.read_text("utf-8")
            if text.count(edit["old"]) != 1:
                raise RuntimeError(f"{edit['file']}: {edit['old']!r} is there {text.count(edit['old'])} times")
            file.write_text(text.replace(edit["old"], edit["new"]), "utf-8")
            declared = declared or edit["file"] in ("shop/orders.py", "schemas/order.json")
        self.build()
        clone = "shop"
        if declared:
            # On a branch: nothing of it is merged yet. Billing does it in a clone, as a pull request would.
            if name == "billing":
                git(self.folder, "clone", "-q", "shop", "clone")
                clone = "clone"
            git(self.folder / clone, "checkout", "-q", "-b", "change")
            is_signed = self.table(name, clone)
            if is_signed and clone == "shop":
                self.graphbus("shop", "contracts", "pin", "contracts#orders", "--as", "producer")
            self.commit(clone)
            if clone == "clone":
                git(self.folder / clone, "push", "-q", "origin", "change")
            if is_signed and clone == "clone" and self.verify("shop")[0] == 0:
                # Signed by rule and green on its branch: it is merged, and billing pins it.
                git(self.folder / "shop", "merge", "-q", "change")
                self.graphbus("billing", "contracts", "pin", "../shop#orders", "--as", "consumer")
        self.commit(name)

    def verify(self, name: str) -> tuple[int, list[dict[str, Any]]]:
        """What CI says: its code, and the rows that are not green."""
        service, more = None, []
        if name == "billing":
            service = subprocess.Popen(
                ["node", "dist/server.js"], cwd=self.folder / name, stdout=subprocess.PIPE, text=True
            )
            assert service.stdout is not None
            more = ["--against", service.stdout.readline().strip()]
        try:
            place = "clone" if name == "shop" and (self.folder / "clone").exists() else name
            done = self.graphbus(place, "contracts", "verify", *more, "--json")
        finally:
            if service is not None:
                service.terminate()
                service.wait()
        if not done.stdout.startswith("{"):
            return done.returncode, [{"state": "breaks", "message": done.stderr.strip()}]
        rows = [row for pin in json.loads(done.stdout)["pins"] for row in pin["rows"]]
        return done.returncode, [row for row in rows if row["state"] in ("breaks", "unknown")]


def try_change(change: dict[str, Any], template: World) -> dict[str, Any]:
    """One change in a copy of the two green repositories: what CI says."""
    with tempfile.TemporaryDirectory() as place:
        world = template.copy_to(Path(place) / "world")
        world.edit(change)
        after = {name: world.verify(name) for name in SHOWS}
    return {
        "codes": {name: code for name, (code, _) in after.items()},
        "payload": {name: any("payload" in row for row in rows) for name, (_, rows) in after.items()},
        "said": [f"{name}: {row['message'][:160]}" for name, (_, rows) in after.items() for row in rows[:1]],
    }


def count_end(change: dict[str, Any], end: dict[str, Any], counts: dict[str, int]) -> None:
    """Print how one change ended, and count it."""
    red = any(end["codes"].values())
    if change["breaking"]:
        counts["broken"] += 1
        counts["found"] += red
        counts["payload"] += any(end["payload"].values())
        counts["both"] += all(end["codes"].values())
        counts["passed"] += not red
    else:
        counts["harmless"] += 1
        counts["green"] += not red
    right = red == change["breaking"]
    print(
        f"{change['id']} {'ok   ' if right else 'WRONG'} {change['side']:8} breaking={change['breaking']!s:5} "
        f"{end['codes']} {change['title']}" + ("" if right and not red else f"\n     {' | '.join(end['said'])}")
    )


def main() -> int:
    """Print a line a change, then the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=Path, default=ROOT / "benchmarks" / "cases" / "two_repositories")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if not find_compiler()[0] or shutil.which("node") is None:
        print("not run: needs node, and tsc with @types/node (npm ci in examples/two_repositories/billing) or esbuild")
        return 0
    changes = [json.loads(file.read_text("utf-8")) for file in sorted(options.cases.glob("*.json"))]
    changes = [change for change in changes if not options.only or change["id"] == options.only]
    if not changes:
        print(f"not run: {options.cases} has no changes. They are to be written by a stranger.")
        return 0
    counts = dict.fromkeys(("broken", "unhealthy", "found", "payload", "both", "harmless", "green", "passed"), 0)
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        template = World(Path(place))
        assert [template.verify(name)[0] for name in SHOWS] == [0, 0]  # else a red CI would prove nothing
        for change in changes:
            try:
                end = try_change(change, template)
            except RuntimeError as e:
                counts["unhealthy"] += 1
                print(f"{change['id']} not tried: {e}")
                continue
            count_end(change, end, counts)
    print(
        f"\nbreaking {counts['broken']}: found {counts['found']} (goal all), with a payload {counts['payload']}, on "
        f"both sides {counts['both']}; passed by ignorance {counts['passed']} (goal 0)"
    )
    print(
        f"harmless {counts['harmless']}: green {counts['green']} (goal all). Not tried {counts['unhealthy']}. "
        f"Servers needed: 0. {time.monotonic() - start:.0f} s"
    )
    return 0 if counts["passed"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
