"""Pure work is run again where the interpreter lost count of itself.

CPython before 3.11.9 and 3.12.3 keeps one counter for all threads that parse Python (gh-106905). A model's answer is
parsed here while another is tried in a thread, and one time in some thousands `ast.parse` ends in a SystemError that
says nothing of the source. A pure function may simply be asked again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
TIMES = 5
LOST_COUNT = "recursion depth mismatch"


def again(work: Callable[[], T]) -> T:
    """What `work` gives. `work` changes nothing, or the same however often it is run."""
    for _ in range(TIMES - 1):
        try:
            return work()
        except SystemError as e:
            if LOST_COUNT not in str(e):
                raise
    return work()
