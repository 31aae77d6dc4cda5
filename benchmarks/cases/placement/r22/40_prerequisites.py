# stateful
"""A cached list is handed out and then changed by the caller."""
from functools import lru_cache

from graphbus_core import GraphBusNode, subscribe

REQUIRES = {
    "calculus": ["algebra", "geometry"],
    "mechanics": ["calculus"],
    "optics": ["calculus", "geometry"],
    "algebra": [],
}


@lru_cache(maxsize=None)
def prerequisites(course: str) -> list[str]:
    found: list[str] = []
    for direct in REQUIRES.get(course, []):
        for name in [*prerequisites(direct), direct]:
            if name not in found:
                found.append(name)
    return found


def without(names: list[str], waived: str) -> list[str]:
    if waived in names:
        names.remove(waived)
    return names


class Registrar(GraphBusNode):
    @subscribe("/Enrol")
    def on_enrol(self, course: str, waived: str) -> dict[str, object]:
        missing = without(prerequisites(course), waived)
        return {
            "course": course,
            "missing": list(missing),
            "status": "open" if not missing else f"needs {len(missing)}",
        }
