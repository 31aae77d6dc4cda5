"""Takes the pytest plugins of schemathesis and pytest-lsp out of a development environment: `make .venv/.dev` runs it.

Both are used as a command and as a library. Their plugins are not used, and every pytest that a tested build, landing
or evidence run starts would load them: 3.2 s of processor time a run in place of 0.9. The options of this suite do not
reach those runs, whose environment is made new (`sandbox/runner.py`).
"""

from __future__ import annotations

import configparser
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

UNUSED = {"schemathesis": "schemathesis", "pytest-lsp": "pytest-lsp"}  # distribution: the name of its plugin


def main() -> int:
    """Rewrite the entry points of what is installed; a second time changes nothing."""
    for name, plugin in UNUSED.items():
        try:
            installed = distribution(name)
        except PackageNotFoundError:
            continue
        for listed in installed.files or ():
            if listed.name == "entry_points.txt":
                hide_plugin(Path(str(installed.locate_file(listed))), plugin)
    return 0


def hide_plugin(file: Path, plugin: str) -> None:
    """Take one plugin out of a file of entry points."""
    entries = configparser.ConfigParser(delimiters=("=",))
    entries.optionxform = str  # type: ignore[assignment, method-assign]
    entries.read(file, "utf-8")
    if entries.has_section("pytest11") and entries.remove_option("pytest11", plugin):
        file.unlink()  # an installer may have linked it to its cache
        with file.open("w", encoding="utf-8") as out:
            entries.write(out)


if __name__ == "__main__":
    sys.exit(main())
