"""Source -> AgentDefinition, without importing the project (design §5, seed 002 §4.1).

layout      from what the user typed to a root and a list of files
modules     files parsed once; what each top-level name is bound to
names       what a name stands for, through imports, aliases and re-exports
scanner     which classes are nodes
extractor   a node class -> AgentDefinition
importing   what only an import can tell, asked of a child process
cache       what was read, by digest
project     `scan`, which reads as this list
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core.analysis.scan.drafts import ScanCache
from graphbus_core.analysis.scan.layout import Layout
from graphbus_core.analysis.scan.project import Project, scan
from graphbus_core.lazy_imports import make_lazy_getattr

if TYPE_CHECKING:
    from graphbus_core.analysis.scan.extractor import MetadataExtractor
    from graphbus_core.analysis.scan.scanner import NodeScanner

__all__ = ["Layout", "MetadataExtractor", "NodeScanner", "Project", "ScanCache", "scan"]

# Late: a build after a build reads no file anew.
_HOMES = {
    "graphbus_core.analysis.scan.extractor": "MetadataExtractor",
    "graphbus_core.analysis.scan.scanner": "NodeScanner",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = make_lazy_getattr(__name__, _HOMES)
