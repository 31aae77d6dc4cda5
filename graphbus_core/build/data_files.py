"""Where the sources of a build read files beside themselves: those are not part of it, and the build says so.

It looks at bytes, not at meaning: `__file__` in a message is named as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from graphbus_core.shown import few

MAX_NAMED = 5  # of the places found
_READS = re.compile(
    rb"\b__file__\b|\bimportlib\.resources\b|\bfrom\s+importlib\s+import\b[^\n]*\bresources\b|\bpkgutil\.get_data\b"
)


def data_files(sources: Mapping[str, bytes]) -> tuple[str, ...]:
    """The places, as `path:line`, one a file at most, at which a source may read a file that stands beside it."""
    found = []
    likely = (p for p, c in sources.items() if b"__file__" in c or b"resources" in c or b"get_data" in c)
    for path in sorted(likely):
        for number, line in enumerate(sources[path].splitlines(), 1):
            if _READS.search(line.partition(b"#")[0]):
                found.append(f"{path}:{number}")
                break
    return tuple(found)


def sentence(places: tuple[str, ...]) -> str:
    """What is said of them."""
    return (
        f"{few(places, MAX_NAMED)}: a file beside a module (`__file__`, importlib.resources) is not in "
        f"the build, which holds Python modules alone; give its path from outside (docs/build.md)."
    )
