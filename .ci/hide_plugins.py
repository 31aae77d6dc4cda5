"""Takes pytest plugins that nothing uses out of a development environment: `make .venv/.dev` runs it.

Their distributions are here as commands and libraries. Every pytest that a tested build, landing or evidence run starts
would load the plugins all the same: 3.2 s of processor time a run in place of 0.5. The options of this suite do not
reach those runs, whose environment is made new (`sandbox/runner.py`). This suite names the one that it uses, that of
Hypothesis, in `addopts`: it imports the whole of Hypothesis, in runs without a property, too.
"""

from __future__ import annotations

import configparser
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

# distribution: the name of its plugin
UNUSED = {
    "anyio": "anyio",
    "hypothesis": "hypothesispytest",
    "platformdirs": "platformdirs",
    "pytest-asyncio": "asyncio",
    "pytest-lsp": "pytest-lsp",
    "schemathesis": "schemathesis",
}


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
