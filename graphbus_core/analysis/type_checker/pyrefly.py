"""pyrefly behind the port, where it is installed and ty is not: the findings of another checker.

As with ty our own settings are passed. No interpreter is asked where its packages lie: pyrefly would run the project's,
and with it whatever stands in that environment. Its language server cannot be kept from that; so a question about a
place is answered as by an engine that cannot tell, and what needs the answer stays unknown.
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from graphbus_core.analysis.type_checker import port
from graphbus_core.analysis.type_checker.port import Diagnostic, Engine, EngineFailed


@cache
def find_executable() -> str | None:
    """Where pyrefly's program is; None where it is not installed."""
    return port.find_program("pyrefly")


class Pyrefly(Engine):
    """One build's pyrefly."""

    name = "pyrefly"
    settings = "# GraphBus's own: what a project writes in its pyrefly.toml silences nothing here.\n"

    def find_diagnostics(self, root: Path, only: Sequence[str] = ()) -> tuple[Diagnostic, ...]:
        """See `Engine.find_diagnostics`."""
        if (program := find_executable()) is None:
            raise EngineFailed("pyrefly is not installed")
        command = [program, "check", "--config", str(self._settings), "--output-format", "json", "--color", "never"]
        command += [
            "--summary=none",
            "--progress-bar=no",
            "--relative-to",
            str(root),
            *self._build_search_options(root),
        ]
        command += ["--use-ignore-files", "false", "--enabled-ignores", "pyrefly"]
        kinds = [kind for kind in ("py", "pyi") if next(root.rglob(f"*.{kind}"), None) is not None]
        if not kinds:
            return ()
        command += [str(root / item) for item in only or (f"**/*.{kind}" for kind in kinds)]
        try:
            listed = self._run_check(command, root)["errors"]
            return tuple(
                sorted(
                    Diagnostic(item["path"], item["line"], item["name"], item["description"], item.get("column", 0))
                    for item in listed
                )
            )
        except (KeyError, TypeError) as e:
            raise EngineFailed(f"pyrefly failed: it lists no errors ({e})") from e

    def _build_search_options(self, root: Path) -> list[str]:
        """Where imports are looked up, said here so that nothing has to be asked or guessed."""
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        options = ["--skip-interpreter-query", "--python-version", version]
        for folder in (candidate for candidate in (root, root / "src") if candidate.is_dir()):
            options += ["--search-path", str(folder)]
        for place in sorted(self._python.glob("lib/python*/site-packages")) or [Path(sysconfig.get_path("purelib"))]:
            options += ["--site-package-path", str(place)]
        return [
            *options,
            "--site-package-path",
            str(Path(__file__).parents[3]),
        ]  # GraphBus itself, however it lies there
