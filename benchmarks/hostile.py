"""What a hostile proposal can do: paths out of the project, code in the gates that run it, and what undo gives back.

    python benchmarks/hostile.py [--orders 3]

Every path known from other tools is tried at the applicator and at the transaction, with the files around the project
compared afterwards. Code that tries the network, the home, a fork bomb, an endless loop, 10 GB or endless output runs
in the import gate and in the verify gate: it must end as a failed commit within its limit, nothing changed. Ten commits
are taken back in random orders; after each series the project must be what it was, byte for byte.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from graphbus_core.commit.disk import RealDisk
from graphbus_core.commit.transaction import FileChange, commit_changes
from graphbus_core.editing.applicator import DiffApplicator
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.edit_outcome import Edited
from graphbus_core.model.operation import AddImport
from graphbus_core.model.prompt import SystemPrompt
from graphbus_core.sandbox import runner
from graphbus_core.sandbox.path_guard import PathGuard
from graphbus_core.sandbox.runner import Limits
from tests.commit.projects import CLEAN, about, engine, texts, write
from tests.commit.test_door import HOSTILE
from tests.commit.test_engine import TEN

CODE = {
    "network": "import socket; socket.create_connection(('127.0.0.1', 9), 1)",
    "~/.ssh": "import os; open(os.path.expanduser('~/.ssh/id_rsa')).read()",
    "fork bomb": "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass",
    "endless loop": "while True: pass",
    "10 GB": "x = bytearray(10 << 30)",
    "10 GB in steps": "x = []\nwhile True: x.append(bytearray(1 << 22))",
    "endless output": "while True: print('x' * 10000)",
    "writes outside": "open('/etc/graphbus-hostile', 'w').write('x')",
    "leaves at once": "import os; os._exit(0)",
}
LIMIT_S = 2.0


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orders", type=int, default=3, help="orders in which ten commits are taken back")
    given = parser.parse_args()
    print(runner.describe())
    print(f"\n{'what':60} {'tried':>6} {'measured':>9} {'goal':>5}  ok")
    ok = row("hostile paths: written outside of the project's sources", *paths())
    for gate in ("import", "verify"):
        tried, wrong, slowest = code(gate)
        ok &= row(f"hostile code in the {gate} gate: not a failed commit", tried, wrong)
        ok &= row(
            f"   slowest of them, s (limit {LIMIT_S:g} s and a grace of 2 s)", tried, round(slowest, 1), LIMIT_S + 2
        )
    ok &= row("links left in the copy: files of the user touched, per gate", *links())
    ok &= row("ten commits taken back in a random order: not exact", *undo(given.orders))
    sys.exit(0 if ok else 1)


def row(what: str, tried: int, measured: float, goal: float = 0) -> bool:
    """One line; the goal is at most."""
    good = measured <= goal
    print(f"{what:60} {tried:6} {measured:9} {goal:5}  {'yes' if good else 'NO'}", flush=True)
    return good


def paths() -> tuple[int, int]:
    """Every hostile path at the applicator, and at the transaction beneath it; how many changed anything outside."""
    tried = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        root = write(top / "proj")
        evil = top / "proj-evil"
        evil.mkdir()
        for file in (evil / "b.py", top / "evil.py", root / "conftest.py", root / "pyproject.toml"):
            file.write_text("x = 1\n")
        (root / ".git" / "hooks").mkdir(parents=True)
        for name, target in (("link.py", evil / "b.py"), ("dangling.py", evil / "none.py"), ("linked", evil)):
            (root / "agents" / name).symlink_to(target)
        os.link(evil / "b.py", root / "agents" / "hard.py")
        state = top / "state"
        state.mkdir()
        links = ["agents/link.py", "agents/dangling.py", "agents/linked/b.py", "agents/hard.py", "agents/linked/new.py"]
        for path in [*HOSTILE, *links]:
            tried += 2
            before = picture(top)
            agent = AgentDefinition("A", "a", "A", path, "", SystemPrompt(""))
            diff = [AddImport(node="A", statement="import os")]
            applied = DiffApplicator(PathGuard(root, [path]).read_file, [agent], [path]).apply(diff)
            wrong += isinstance(applied, Edited)
            if path not in ("agents/hard.py",) and (
                ".." in path or path.startswith("/") or path in links or "\0" in path
            ):
                with suppress(
                    OSError, ValueError, KeyError
                ):  # beneath the door: what the transaction would let through
                    commit_changes(RealDisk(root, state), [FileChange(f"project/{path}", None, b"x = 2\n")])
            wrong += picture(top) != before
    return tried, wrong


def picture(top: Path) -> dict[str, str]:
    """Every file below, the engine's own state left out."""
    found = {}
    for path in sorted(top.rglob("*")):
        if path.is_file() and "state" not in path.relative_to(top).parts[:1]:
            found[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def code(gate: str) -> tuple[int, int, float]:
    """Hostile code in one gate: tried, how many did not end as a failed commit with nothing changed, the slowest."""
    wrong, slowest = 0, 0.0
    limits = Limits(timeout_s=LIMIT_S, memory_mb=500, processes=24)
    for text in CODE.values():
        with tempfile.TemporaryDirectory() as folder:
            root = write(Path(folder) / "p")
            if gate == "import":
                op = {
                    "op": "add_method",
                    "node": "Cleaner",
                    "method": "m",
                    "source": f"def m(self, x=exec({text!r})): pass",
                }
                commits = engine(root, limits=limits)
            else:
                (root / "check.py").write_text(text + "\nraise SystemExit(1)\n")
                op = {"op": "replace_body", **CLEAN, "body": "return {'items': []}"}
                commits = engine(root, verify="python check.py || exit 1; exit 1", verify_timeout_s=LIMIT_S)
            before = texts(root)
            with commits:
                begun = time.monotonic()
                receipt = commits.apply("commit", about("p-1", op))
                slowest = max(slowest, time.monotonic() - begun)
            fine = receipt["status"] == "failed" and receipt["gate"] == ("imports" if gate == "import" else "verify")
            wrong += not fine or texts(root) != before or os.path.exists("/etc/graphbus-hostile")
    return len(CODE), wrong, slowest


def links() -> tuple[int, int]:
    """Code makes links to a file of the user in the place of every name in its copy; three gates run after one another.
    How many of those files were touched."""
    names = [".graphbus-rehearsal.json", "agents/fetcher.py", "agents/cleaner.py", "agents/formatter.py", "tests"]
    wrong = 0
    for name in names:
        for dry in (False, True):
            with tempfile.TemporaryDirectory() as folder:
                root, victim = write(Path(folder) / "p"), Path(folder) / "bashrc"
                victim.write_text("precious")
                code = f"import os\nif os.path.lexists({name!r}): os.unlink({name!r})\n"
                code += f"os.symlink({str(victim)!r}, {name!r})"
                source = '@schema_method(input_schema={"note": str})\n'
                source += f"def extra(self, note, _x=exec({code!r})): return None"
                op = {"op": "add_method", "node": "Cleaner", "method": "extra", "source": source}
                with engine(root, verify="true", dry_run=dry) as commits:
                    commits.rehearse = True
                    commits.apply("commit", about("p-1", op))
                wrong += victim.read_text() != "precious"
    return 2 * len(names), wrong


def undo(orders: int) -> tuple[int, int]:
    """Ten commits taken back in random orders."""
    wrong = 0
    for seed in range(orders):
        with tempfile.TemporaryDirectory() as folder:
            root = write(Path(folder) / "p")
            before = texts(root)
            order = list(range(10))
            random.Random(100 + seed).shuffle(order)
            with engine(root) as commits:
                done = [commits.apply("commit", about(f"p-{i}", op))["status"] for i, op in enumerate(TEN)]
                back = [commits.undo(f"p-{i}")["status"] for i in order]
            wrong += set(done) != {"committed"} or set(back) != {"committed"} or texts(root) != before
    return orders, wrong


if __name__ == "__main__":
    main()
