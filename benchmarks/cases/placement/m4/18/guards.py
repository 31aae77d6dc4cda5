"""Wrappers used on the works' functions."""
from __future__ import annotations

import functools
import logging
from typing import Any, Callable

log = logging.getLogger("waterworks")


class Traced:
    """Numbers the calls in the log."""

    def __init__(self, fn: Callable[..., Any]) -> None:
        functools.update_wrapper(self, fn)
        self.fn = fn
        self.calls = 0

    def __call__(self, *args: Any, **kw: Any) -> Any:
        self.calls += 1
        log.debug("call %d of %s", self.calls, self.fn.__name__)
        return self.fn(*args, **kw)


class Quietly(Traced):
    """Lets the same finding through only once, so that nobody's phone rings all night."""

    def __init__(self, fn: Callable[..., Any]) -> None:
        super().__init__(fn)
        self.told = set()

    def __call__(self, *args: Any, **kw: Any) -> Any:
        found = super().__call__(*args, **kw)
        if found is None or found in self.told:
            return None
        self.told.add(found)
        return found
