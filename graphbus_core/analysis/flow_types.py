"""What a flow is: two ends with the keys on the way, where it was seen, and whether the value arrives as it left.

And what all flows of one file come to, with the calls that nobody can tell.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

BY_NAME = frozenset({"call", "acall", "call_method", "acall_method", "request"})  # they take a node's name in text


@dataclass(frozen=True, slots=True)
class End:
    """A side of a component's method. `side`: `result`, what it gives back, or `input`, what it takes."""

    component: str
    method: str
    side: str = "result"

    def __str__(self) -> str:
        return f"{self.component}.{self.method}"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value was born: an end and the keys on the way from it. `[]` is any element."""

    end: End
    keys: tuple[str, ...] = ()
    exact: bool = True
    soft: bool = False


ELSEWHERE = Origin(End("", ""))  # of what no component gave: made here, read from outside, or nobody can tell
NOTHING = Origin(ELSEWHERE.end, ("None",))  # of a None: nothing lies below it


def go_below(origins: tuple[Origin, ...], key: str) -> Iterator[Origin]:
    """The origins of what lies under a key; under a None lies nothing."""
    for origin in origins:
        if origin.end != ELSEWHERE.end:
            yield replace(origin, keys=(*origin.keys, key))
        elif origin is not NOTHING:
            yield ELSEWHERE


@dataclass(frozen=True, slots=True)
class Flow:
    """`source`, at its keys, reaches `target`, at its keys. `place` is `file:line` of the call that shows it.

    `whole`: a mapping given with `**`, so that every key goes to the parameter of its name; `beside` are the fields
    that the same call gives otherwise, `*` for some that nobody can name. `soft`: the code reckons with its absence;
    `guarded`: the call stands under a condition; `caught`: the code around it goes on where the call cannot be made.
    `sole`: no way through the code gives the target anything else.
    """

    source: End
    source_keys: tuple[str, ...]
    target: End
    target_keys: tuple[str, ...]
    place: str
    exact: bool = True
    whole: bool = False
    beside: tuple[str, ...] = ()
    soft: bool = False
    guarded: bool = False
    caught: bool = False
    sole: bool = False

    def __str__(self) -> str:
        source_text = ".".join([str(self.source), *self.source_keys])
        target_text = ".".join([str(self.target), *self.target_keys])
        return f"{source_text} -> {target_text}{'.*' if self.whole else ''} ({self.place})"


@dataclass(frozen=True, slots=True)
class UnsureCall:
    """A call that may be one of a component's method, and nobody can tell: where, of what, and why."""

    place: str
    word: str
    why: str


@dataclass(frozen=True, slots=True)
class FileFlows:
    """What one file shows. `through`: what its methods hand on from what they take. `own`: who calls whom, where."""

    flows: tuple[Flow, ...] = ()
    through: tuple[Flow, ...] = ()
    own: tuple[tuple[End, End, str], ...] = ()
    unsure: tuple[UnsureCall, ...] = ()
