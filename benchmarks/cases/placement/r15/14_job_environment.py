# pure
"""Keeps nothing: the environment is changed for the time of one event and given back as it was."""
import os
import shlex
from contextlib import ExitStack
from unittest import mock

from graphbus_core import GraphBusNode, subscribe

PROFILES = {
    "weather": {"MODEL": "icon", "GRID": "7km", "OUT": "/data/$MODEL/$GRID"},
    "ocean": {"MODEL": "nemo", "GRID": "quarter", "OUT": "/sea/${MODEL}_$GRID"},
}


def expand(words: list[str], depth: int = 3) -> list[str]:
    for _ in range(depth):
        grown = [os.path.expandvars(word) for word in words]
        if grown == words:
            break
        words = grown
    return words


def split_assignments(words: list[str]) -> tuple[dict[str, str], list[str]]:
    settings: dict[str, str] = {}
    rest = list(words)
    while rest and "=" in rest[0] and rest[0].partition("=")[0].isidentifier():
        name, _, value = rest.pop(0).partition("=")
        settings[name] = value
    return settings, rest


class JobEnvironment(GraphBusNode):
    """Shows how a batch job's command line would look once its variables are filled in."""

    @subscribe("/Batch/Submitted")
    def on_submitted(self, profile: str, command: str) -> dict[str, object]:
        try:
            words = shlex.split(command)
        except ValueError as error:
            return {"error": str(error)}
        settings, rest = split_assignments(words)
        with ExitStack() as stack:
            stack.enter_context(mock.patch.dict(os.environ, PROFILES.get(profile, {}), clear=True))
            os.environ.update(settings)
            os.environ.setdefault("RANKS", "4")
            argv = expand(rest)
            names = sorted(os.environ)
        return {"argv": argv, "line": shlex.join(argv), "names": names}
