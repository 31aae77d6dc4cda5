"""What each event sets before it reads it: it keeps nothing, though it outlives the event.

`self.errors = []`, `buffer.clear()`, `buffer[:] = blank`, `decoder.reset()`: on every path that goes on from there,
reads see what this event has put there. A read anywhere else, by whomever, may see what an earlier event left: then the
place is *kept*, and a change of it is a change like any other. A place is an attribute of one object, or the whole of
one object, which is known to be one (`Site.is_once`): to clear one of two buffers says nothing of the other.

What is set is followed along the paths (`set_now`): of two branches what both set, of a loop, a `try` and a `with` what
was set before, since they may be left anywhere, of a call what every way out of the function has set. Nothing is set

- in an `async` function, and in a handler that is a generator, since another event may come between two of its lines;
- in a thread or a task, which runs at any time;
- after the node publishes or calls, since that may come back to it as another event; and at every `yield` of a node
  that does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from graphbus_core.artifacts.sharing.values import (
    Atom,
    ClassScope,
    FunctionValue,
    Method,
    Site,
    Value,
    Wrapped,
    is_lasting,
    is_plain,
    join,
    reach,
)

if TYPE_CHECKING:
    from graphbus_core.artifacts.sharing.engine import Engine

_BY_HAND = ("__setattr__", "__getattribute__", "__delattr__")
Place = Site | tuple[Site, str]
NONE: frozenset[Place] = frozenset()
# Methods after which an object is as its constructor made it, by what made it.
_RENEWING = {
    "codecs.IncrementalDecoder": ("reset",),
    "codecs.IncrementalEncoder": ("reset",),
    "random.Random": ("seed",),
    "difflib.SequenceMatcher": ("set_seqs",),  # both sides: all that it keeps is reckoned from them
    "io.StringIO": ("seek", "truncate"),
    "io.BytesIO": ("seek", "truncate"),
}
MEMORY_VIEW = "builtins.memoryview"  # of the whole of one buffer
RENEWING = frozenset(["clear", *(name for names in _RENEWING.values() for name in names)])


class EventAttributes:
    """Which places hold what the event that is handled has set."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.node: Site | None = None
        self.set_now: frozenset[Place] = NONE  # at this point, by the event that is handled
        self.added: frozenset[Place] = NONE  # by the function that was called last, on every way out
        self.forgets = 0  # how often something else may have come between
        self.is_interrupted = False  # at any time, in what is followed now
        self._ever_forgot = False
        self._values: dict[Place, set[Any]] = {}
        self._renewed: set[Site] = set()
        self._kept: set[Place] = set()
        self._read: set[Place] = set()
        self._kept_whole: set[Site] = set()
        self._balanced: set[Place] = set()  # what is changed there is taken back

    # Who may read them

    def keep_all_in(self, value: Iterable[Atom]) -> None:
        """Somebody may read any attribute of these."""
        for owner in {place[0] for place in self._values if isinstance(place, tuple)}:
            if owner in value and owner not in self._kept_whole:
                self._engine.changes += 1
                self._kept_whole.add(owner)

    def see(self, value: Iterable[Atom]) -> None:
        """Somebody has these in hand."""
        if not self._engine.handling or not (self._balanced or self._renewed):
            return
        value = [held for atom in value for held in _list_asked(atom)]
        if self._balanced:
            for place in [a for a in value if a in self._balanced and isinstance(a, Site)]:
                self._is_balanced(place)
        if self._renewed:
            for atom in value:
                if isinstance(atom, Site) and atom in self._renewed and atom not in self.set_now:
                    self._keep(atom)

    def give_out(self, value: Iterable[Atom]) -> None:
        """Somebody has these for longer than the event lasts."""
        for atom in value:
            if isinstance(atom, Site) and (atom in self._renewed or atom in self._balanced):
                self._keep(atom)
            if isinstance(atom, Site) and atom.kind == "iterator":  # what it gives is read when somebody asks for it
                for place in [*self._renewed, *self._balanced, *self._values]:
                    self._keep(place)

    def _keep(self, place: Place) -> None:
        self._engine.changes += place not in self._kept
        self._kept.add(place)

    def list_names(self, owner: Site) -> list[str]:
        """The attributes of it that events set."""
        return sorted(place[1] for place in self._values if isinstance(place, tuple) and place[0] is owner)

    def list_set(self) -> list[Place]:
        """What events set anew before they read it. What is taken back is not seen by any other."""
        return [place for place in (*self._values, *self._renewed) if place not in self._balanced]

    def has_any(self) -> bool:
        """Whether there is such a place."""
        return bool(self._values or self._renewed)

    # Attributes

    def put(self, owner: Site, name: str, value: Value, *, is_certain: bool) -> bool:
        """Whether the attribute belongs to the event, which reads it too: then this is what it set it to. `is_certain`:
        it is surely this object's."""
        if not self._engine.handling or not self._is_own(owner, name):
            return False
        place = (owner, name)
        if place in self._balanced:
            self._keep(place)
            return False
        into = self._values.setdefault(place, set())
        before = len(into)
        into |= value
        self._engine.changes += len(into) != before
        if is_certain and value and not self.is_interrupted:
            self.set_now |= {place}
        elif not value:
            self.set_now -= {place}
        return place in self._read  # what no event reads is set for somebody else

    def get(self, owner: Site, name: str) -> Value | None:
        """What the event set the attribute to; None where it is not known to have."""
        place = (owner, name)
        if not self._engine.handling or place not in self._values:
            return None
        if place in self._balanced and self._is_balanced(place):
            return join(owner.fields.get(name, ()), (owner.cls and owner.cls.find(name)) or (), self._values[place])
        if place in self.set_now and self._is_own(owner, name):
            self._engine.changes += place not in self._read
            self._read.add(place)
            return frozenset(self._values[place])
        self._keep(place)
        return None

    def _is_own(self, owner: Site, name: str) -> bool:
        if owner.kind != "instance" or not owner.lasting or not (owner is self.node or owner.is_once):
            return False
        if owner in self._kept_whole or (owner, name) in self._kept or name == "(any)":
            return False
        return not self.is_set_by_hand(owner.cls, name)

    @staticmethod
    def is_set_by_hand(cls: ClassScope | None, name: str) -> bool:
        """Whether code of its own sets an attribute."""
        if cls is None or any(cls.find(method) for method in _BY_HAND):
            return True
        return any(
            isinstance(a, Wrapped | FunctionValue) or (isinstance(a, Site) and a.kind == "instance")
            for a in cls.find(name) or ()
        )

    # What is taken back

    def balance(self, owner: Site, name: str, value: Value) -> bool:
        """Whether what an event changes here is surely taken back, and it is this value until then."""
        place: Place = (owner, name) if name else owner
        if not self._engine.handling or not self._is_balanced(place) or not owner.lasting or owner in self._renewed:
            return False
        if name and (owner.kind != "instance" or self.is_set_by_hand(owner.cls, name) or owner in self._kept_whole):
            return False
        if place in self._values and place not in self._balanced:
            self._keep(place)
            return False
        self._engine.changes += place not in self._balanced
        self._balanced.add(place)
        into = self._values.setdefault(place, set())
        self._engine.changes += not value <= into
        into |= value
        return True

    def _is_balanced(self, place: Place) -> bool:
        """Nobody comes in between: no other event, no cache that would remember it."""
        if self._ever_forgot or self.is_interrupted:
            self._keep(place)
        return place not in self._kept

    def read_variable(self, site: Site) -> Value | None:
        """What a context variable may stand for; None where an event leaves something in it."""
        if site in self._balanced and not self._is_balanced(site):
            return None
        return frozenset(self._values.get(site, ()))

    # Whole objects

    def renew(self, value: Value, name: str, arguments: list[Value], node: ast.AST) -> bool:
        """Whether a method makes it as new: from here on it holds what this event puts in."""
        if not self._engine.handling or self.is_interrupted or len(value) != 1:
            return False
        (site,) = value
        if not isinstance(site, Site) or not site.lasting or not site.is_once or site in self._kept:
            return False
        if site.is_viewed:
            return False
        if site.views:
            return name == "[:]" and site.made_by == MEMORY_VIEW and self._renew_viewed(site)
        if site.kind == "container":
            return name in ("clear", "[:]") and self._renew(site)
        if site.kind != "object" or name not in _RENEWING.get(site.made_by, ()):
            return False
        if name == "seed":
            return bool(arguments) and all(map(_is_data, arguments)) and self._renew(site)
        if name == "set_seqs":
            return len(arguments) == 2 and not any(map(is_lasting, reach(join(*arguments)))) and self._renew(site)
        return self._rewind(site, name, node) if name in ("seek", "truncate") else self._renew(site)

    def _renew(self, site: Site) -> bool:
        self._engine.changes += site not in self._renewed
        self._renewed.add(site)
        self.set_now |= {site}
        return True

    def _renew_viewed(self, view: Site) -> bool:
        """All bytes of a buffer are set by way of a view of it: a view cannot change its length."""
        viewed = next(iter(view.views))
        if len(view.views) > 1 or viewed.kind != "container" or not viewed.is_once or viewed in self._kept:
            return False
        return bool(viewed.lasting and not viewed.views and self._renew(viewed) and self._renew(view))

    def _rewind(self, site: Site, name: str, node: ast.AST) -> bool:
        """`seek(0)` and `truncate(0)`, in either order; `truncate()` after `seek(0)`."""
        arguments = node.args if isinstance(node, ast.Call) else []
        is_zero = len(arguments) == 1 and isinstance(arguments[0], ast.Constant) and arguments[0].value == 0
        if not is_zero and (arguments or name == "seek" or (site, "(seek)") not in self.set_now):
            return False
        self.set_now |= {(site, f"({name})")}
        self._engine.changes += site not in self._renewed
        self._renewed.add(site)
        if {(site, "(seek)"), (site, "(truncate)")} <= self.set_now:
            self.set_now |= {site}
        return True

    def is_renewed(self, atom: Atom) -> bool:
        """Whether it holds nothing but what this event has put there."""
        return atom in self.set_now and atom not in self._kept

    # Paths

    def begin(self) -> None:
        """Another event: nothing is set."""
        self.set_now = NONE

    def forget(self) -> None:
        """From here on another event may have come between."""
        self.set_now = NONE
        if self._engine.handling:
            self.forgets += 1
            self._engine.changes += not self._ever_forgot
            self._ever_forgot = True

    def give_way(self) -> None:
        """A `yield`: whoever asked for it goes on."""
        if self._ever_forgot:
            self.set_now = NONE

    @contextmanager
    def elsewhere(self) -> Iterator[None]:
        """What is called here runs at any time."""
        before, self.set_now = self.set_now, NONE
        interrupted, self.is_interrupted = self.is_interrupted, True
        try:
            yield
        finally:
            self.set_now, self.is_interrupted = before, interrupted

    @contextmanager
    def perhaps(self) -> Iterator[None]:
        """What is followed here may run in part, or not at all: what it sets is not sure."""
        before, forgets = self.set_now, self.forgets
        try:
            yield
        finally:
            self.set_now = before if self.forgets == forgets else NONE


def _list_asked(atom: Atom) -> Iterable[Atom]:
    """It, and what it asks whenever it is called: what a method is bound to, what a `partial` was given."""
    if isinstance(atom, Method) or (isinstance(atom, Site) and atom.kind == "partial"):
        return reach((atom,))
    return (atom,)


def _is_data(value: Value) -> bool:
    """Whether it came with an event, or is a number or a text."""
    return is_plain(frozenset(a for a in value if not (isinstance(a, Site) and a.kind == "data")))


def meet(sets: Iterable[frozenset[Place]]) -> frozenset[Place]:
    """What all of these have set."""
    listed = list(sets)
    return frozenset.intersection(*listed) if listed else NONE


__all__ = ["NONE", "RENEWING", "EventAttributes", "Place", "meet"]
