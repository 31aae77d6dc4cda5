"""pyrefly behind the port, where it is installed and ty is not: the findings of another checker.

As with ty our own settings are passed. No interpreter is asked where its packages lie: pyrefly would run the project's,
and with it whatever stands in that environment. Its language server cannot be kept from that; so a question about a
place is answered as by an engine that cannot tell, and what needs the answer stays unknown.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from graphbus_core.build.understand.engine.port import Diagnostic, EngineFailed, Place
from graphbus_core.build.understand.engine.ty import CHECK_S, environment, quiet

SETTINGS = "# GraphBus's own: what a project writes in its pyrefly.toml silences nothing here.\n"


@cache
def installed() -> str | None:
    """Where pyrefly's program is; None where it is not installed."""
    name = "pyrefly" + (sysconfig.get_config_var("EXE") or "")
    for folder in (sysconfig.get_path("scripts"), os.path.join(sys.prefix, "bin")):
        path = os.path.join(folder, name)
        if os.access(path, os.X_OK):
            return path
    return None


class Pyrefly:
    """One build's pyrefly."""

    name = "pyrefly"

    def __init__(self, root: Path, python: Path | None = None) -> None:
        self.root = root.resolve()
        self._python = python or environment(self.root)
        self._folder = tempfile.TemporaryDirectory(prefix="graphbus-types-")
        self._settings = Path(self._folder.name) / "pyrefly.toml"
        self._settings.write_text(SETTINGS, "utf-8")

    def diagnostics(self, root: Path, only: Sequence[str] = ()) -> tuple[Diagnostic, ...]:
        """Every finding in a tree, or in some files of it, by the plain command line."""
        command = [_program(), "check", "--config", str(self._settings), "--output-format", "json", "--color", "never"]
        command += ["--summary=none", "--progress-bar=no", "--relative-to", str(root), *self._surroundings(root)]
        command += ["--use-ignore-files", "false", "--enabled-ignores", "pyrefly"]
        kinds = [kind for kind in ("py", "pyi") if next(root.rglob(f"*.{kind}"), None) is not None]
        if not kinds:
            return ()
        command += [str(root / one) for one in only or (f"**/*.{kind}" for kind in kinds)]
        try:
            done = subprocess.run(command, cwd=root, env=quiet(), capture_output=True, timeout=CHECK_S, check=False)
        except subprocess.TimeoutExpired as e:
            raise EngineFailed(f"pyrefly gave no answer in {CHECK_S:g} seconds") from e
        try:
            listed = json.loads(done.stdout)["errors"]
        except (ValueError, KeyError, TypeError) as e:
            said = done.stderr.decode("utf-8", "replace").strip()
            raise EngineFailed(f"pyrefly failed: {said.splitlines()[-1] if said else done.returncode}") from e
        return tuple(sorted(Diagnostic(one["path"], one["line"], one["name"], one["description"]) for one in listed))

    def _surroundings(self, root: Path) -> list[str]:
        """Where imports are looked up, said here so that nothing has to be asked or guessed."""
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        given = ["--skip-interpreter-query", "--python-version", version]
        for folder in (one for one in (root, root / "src") if one.is_dir()):
            given += ["--search-path", str(folder)]
        for place in sorted(self._python.glob("lib/python*/site-packages")) or [Path(sysconfig.get_path("purelib"))]:
            given += ["--site-package-path", str(place)]
        return [*given, "--site-package-path", str(Path(__file__).parents[4])]  # GraphBus itself, however it lies there

    def definition(self, place: Place) -> tuple[Place, ...]:
        """Not told."""
        return ()

    def implementations(self, place: Place) -> tuple[Place, ...]:
        """Not told."""
        return ()

    def types(self, expressions: Sequence[Place]) -> tuple[str | None, ...]:
        """Not told."""
        return (None,) * len(expressions)

    def show(self, path: str, text: bytes) -> None:
        """Nothing is kept of a text: findings are those of a whole tree."""

    def close(self) -> None:
        """Take its settings away."""
        self._folder.cleanup()

    def __enter__(self) -> Pyrefly:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _program() -> str:
    program = installed()
    if program is None:
        raise EngineFailed("pyrefly is not installed")
    return program
