# pure
"""The context variable is put back by its token before the handler returns."""
from contextlib import contextmanager
from contextvars import ContextVar

from graphbus_core import GraphBusNode, subscribe

_trail = ContextVar("trail", default=())
_verbose = ContextVar("verbose", default=False)


@contextmanager
def setting(var, value):
    token = var.set(value)
    try:
        yield value
    finally:
        var.reset(token)


def note(out):
    trail = _trail.get()
    if _verbose.get():
        out.append(" > ".join(trail))
    else:
        out.append(trail[-1] if trail else "root")


def walk(depth, width, out):
    note(out)
    if depth == 0:
        return
    for i in range(width):
        step = f"{'abc'[i]}{depth}"
        with setting(_trail, _trail.get() + (step,)):
            walk(depth - 1, width, out)


class CaveSurvey(GraphBusNode):
    """Lists the galleries of a regular cave, as an exercise for trainees."""

    @subscribe("/cave/survey")
    def on_survey(self, depth: int, width: int, verbose: bool) -> dict:
        out = []
        with setting(_verbose, verbose), setting(_trail, ("entry",)):
            walk(depth, width, out)
        return {
            "stations": out,
            "count": len(out),
            "clean": _trail.get() == (),
        }
