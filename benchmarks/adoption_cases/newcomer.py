"""A newcomer: an empty environment, `pip install` of this checkout's wheel, one command, the first true finding.

The wheel is made first and not counted: an index would have it. So is the environment. What is counted is what somebody
waits for: the install with every dependency (through the caches that this machine's pip has), then `graphbus infer .`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

WAIT_S = 30.0
TIMEOUT_S = 600  # a machine without a network says so sooner
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Seeded:
    """One break that a person wrote into a project: `before` becomes `after` in `path`; `told` is what is true then."""

    repository: str
    what: str
    path: str
    before: str
    after: str
    told: str


SEEDED = (
    Seeded(
        "cosmicpython/code",
        "a key of a returned dict is renamed",
        "src/allocation/config.py",
        "return dict(host=host, port=port, http_port=http_port)",
        "return dict(hostname=host, port=port, http_port=http_port)",
        "src/allocation/adapters/notifications.py:13",
    ),
    Seeded(
        "jhao104/proxy_pool",
        "a method is renamed",
        "handler/proxyHandler.py",
        "def getAll(self, https=False):",
        "def getEvery(self, https=False):",
        "api/proxyApi.py:82",
    ),
    Seeded(
        "pypa/twine",
        "a function gets one more parameter",
        "twine/utils.py",
        "def get_file_size(filename: str) -> str:",
        "def get_file_size(filename: str, unit: str) -> str:",
        "twine/commands/upload.py:97",
    ),
)


def check_newcomer(public: Path) -> bool:
    """Each project from an empty environment, with pip; then the same with `uvx`, where it is installed (no goal)."""
    print("\nnewcomer: an empty environment, one install, one command; seconds waited (of the processor)")
    met = True
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        _ran([sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", made, str(ROOT)])
        wheel = str(next(folder.glob("*.whl")))
        for number, seeded in enumerate(SEEDED):
            project, home = folder / f"project{number}", folder / f"env{number}"
            shutil.copytree(public / seeded.repository.replace("/", "+"), project)
            text = (project / seeded.path).read_text(encoding="utf-8")
            assert text.count(seeded.before) == 1, f"{seeded.path} is not that of the commit"
            (project / seeded.path).write_text(text.replace(seeded.before, seeded.after), encoding="utf-8")
            print(f"  {seeded.repository}: {seeded.what}")
            _ran([sys.executable, "-m", "venv", str(home)])
            programs = home / ("Scripts" if os.name == "nt" else "bin")
            installed = _ran([str(programs / "pip"), "install", "-q", wheel])
            said = _ran([str(programs / "graphbus"), "infer", "."], project, codes=(1,))
            waited = installed[0] + said[0]
            first = next((line for line in said[2].splitlines() if "✗" in line), "nothing")
            fine = seeded.told in first and waited <= WAIT_S
            met &= fine
            seconds = f"install {installed[0]:.1f} s ({installed[1]:.1f})   infer {said[0]:.1f} s ({said[1]:.1f})"
            print(f"    {seconds}   together {waited:.1f} s   goal ≤ {WAIT_S:.0f}   {'ok' if fine else 'SHORT'}")
            print(f"    {first.strip()}")
            if uvx := shutil.which("uvx"):
                cold = {**os.environ, "UV_CACHE_DIR": str(folder / f"uv{number}")}  # nothing downloaded before
                one = _ran([uvx, "-q", "--from", wheel, "graphbus", "infer", "."], project, cold, codes=(1,))
                same = seeded.told in next((line for line in one[2].splitlines() if "✗" in line), "")
                print(f"    uvx: {one[0]:.1f} s ({one[1]:.1f}), {'the same finding' if same else 'NOTHING'}")
    return met


def _ran(
    command: Sequence[str], cwd: Path | None = None, env: dict[str, str] | None = None, codes: Sequence[int] = (0,)
) -> tuple[float, float, str]:
    """Seconds waited, seconds of the processor, and what was said. Ends the run where the exit code is another."""
    began, before = time.perf_counter(), _processor_s()
    done = subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, encoding="utf-8", timeout=TIMEOUT_S, check=False
    )
    waited = time.perf_counter() - began
    if done.returncode not in codes:
        raise SystemExit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return waited, _processor_s() - before, done.stdout


def _processor_s() -> float:
    """Of the processes that ended so far."""
    spent = os.times()
    return spent.children_user + spent.children_system
