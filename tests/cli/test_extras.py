"""A package that the page needs is named with its extra where it lacks, whichever module asks for it first."""

from __future__ import annotations

import ast
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import graphbus_core
from graphbus_core.cli.main import EXTRAS

ROOT = Path(graphbus_core.__file__).parent


def test_every_package_of_the_page_is_named_where_it_lacks() -> None:
    project = tomllib.loads((ROOT.parent / "pyproject.toml").read_text())["project"]
    plain = {canonicalize_name(Requirement(line).name) for line in project["dependencies"]}
    brings = packages_distributions()
    missing = {
        package: where
        for package, where in list_imports().items()
        if package not in EXTRAS
        and package in brings
        and not plain & {canonicalize_name(name) for name in brings[package]}
    }
    assert not missing


def list_imports() -> dict[str, str]:
    """The packages that are not ours and not Python's, each with a file that imports it."""
    found: dict[str, str] = {}
    for file in sorted((ROOT / "http").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            for name in names:
                package = name.partition(".")[0]
                if package != "graphbus_core" and package not in sys.stdlib_module_names:
                    found.setdefault(package, str(file.relative_to(ROOT)))
    return found
