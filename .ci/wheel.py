"""Builds wheel and sdist, checks them, and runs the demo from the wheel in an empty environment: `make dist`.

A newcomer meets the wheel, not the checkout. So what is looked at is the wheel: its metadata, its files, and a fresh
environment that has nothing but it. `--pythons python3.12,python3.13` runs the demo on further interpreters.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NEEDED = (  # what a user would miss: types, the page, the examples that the demo copies, the skill, the licence
    "graphbus_core/py.typed",
    "graphbus_core/http/page/index.html",
    "graphbus_core/_examples/news_pipeline/",
    "graphbus_core/skill/",
    "licenses/LICENSE",
)
FORBIDDEN = ("tests/", "benchmarks/", "__pycache__", ".venv", ".graphbus", "demo-run")
MAX_WHEEL_BYTES = 3_300_000  # grows only on purpose: the layout of the page (elk.js) is .5 MB of it


def main() -> int:
    """Exit code 0 where wheel and sdist can be shipped; else 1 and what is wrong with them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pythons", default=sys.executable, help="interpreters that run the demo, separated by commas")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the files go")
    given = parser.parse_args()
    shutil.rmtree(given.out, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", str(given.out), str(ROOT), quiet=True)
    wheel, sdist = next(given.out.glob("*.whl")), next(given.out.glob("*.tar.gz"))
    run(sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(sdist))
    wrong = [*wrong_in(names_of(wheel), wheel), *wrong_in_sdist(sdist)]
    for line in wrong:
        print(f"wrong: {line}", file=sys.stderr)
    if wrong:
        return 1
    for python in given.pythons.split(","):
        shown(wheel, python)
    print(f"{wheel.name}: {wheel.stat().st_size / 1000:.0f} kB, {len(names_of(wheel))} files: can be shipped")
    return 0


def names_of(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as opened:
        return opened.namelist()


def wrong_in(names: list[str], wheel: Path) -> list[str]:
    """What is missing from the wheel, or should not be in it."""
    found = [f"the wheel lacks {part}" for part in NEEDED if not any(part in name for name in names)]
    found += [f"the wheel holds {name}" for name in names if any(part in name for part in FORBIDDEN)]
    if wheel.stat().st_size > MAX_WHEEL_BYTES:
        found.append(f"the wheel has {wheel.stat().st_size} bytes; at most {MAX_WHEEL_BYTES} were agreed")
    return found


def wrong_in_sdist(sdist: Path) -> list[str]:
    """An sdist must be enough to build the wheel and to run the tests."""
    with tarfile.open(sdist) as opened:
        names = ["/".join(name.split("/")[1:]) for name in opened.getnames()]
    needed = ("pyproject.toml", "README.md", "LICENSE", "graphbus_core/__init__.py", "tests/conftest.py")
    found = [f"the sdist lacks {name}" for name in needed if name not in names]
    return found + [
        f"the sdist holds {n}" for n in names if any(p in n for p in (".venv/", "__pycache__", ".graphbus/"))
    ]


def shown(wheel: Path, python: str) -> None:
    """The demo from the wheel alone, in an environment and a folder that are empty."""
    with tempfile.TemporaryDirectory(prefix="graphbus-wheel-") as folder:
        home = Path(folder)
        run(python, "-m", "venv", str(home / "venv"))
        inside = home / "venv" / "bin"
        constraints = ["-c", str(ROOT / "constraints.txt")]
        run(str(inside / "python"), "-m", "pip", "install", "-q", *constraints, str(wheel), quiet=True)
        (home / "empty").mkdir()
        run(str(inside / "graphbus"), "demo", cwd=home / "empty", quiet=True)
        size = sum(f.stat().st_size for f in (home / "venv").rglob("*") if f.is_file() and not f.is_symlink())
        said = subprocess.run([str(inside / "python"), "--version"], capture_output=True, text=True, check=True)
        print(f"{said.stdout.strip()}: the demo runs from the wheel; the environment holds {size / 1e6:.0f} MB")


def run(*command: str, cwd: Path | None = None, quiet: bool = False) -> None:
    """Run it, or end with what it printed. Nothing of this checkout is on its module path."""
    clean = {k: v for k, v in os.environ.items() if k not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    done = subprocess.run(command, cwd=cwd, env=clean, capture_output=quiet, text=True)
    if done.returncode:
        print(
            f"{' '.join(command)} ended with {done.returncode}\n{done.stdout or ''}{done.stderr or ''}", file=sys.stderr
        )
        raise SystemExit(1)


if __name__ == "__main__":
    sys.exit(main())
