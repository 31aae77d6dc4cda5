# pure
"""Keeps the last few results, with the oldest thrown out; a result is the same when worked out again."""
import unicodedata
from collections import OrderedDict, defaultdict
from collections.abc import Hashable, Iterator

from graphbus_core import GraphBusNode, subscribe


class Recent:
    """A small cache which forgets what was not asked for."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._items: OrderedDict[Hashable, object] = OrderedDict()
        self.hits = self.misses = 0

    def get(self, key: Hashable, make) -> object:
        if key in self._items:
            self.hits += 1
            self._items.move_to_end(key)
            return self._items[key]
        self.misses += 1
        value = self._items[key] = make()
        if len(self._items) > self._size:
            self._items.popitem(last=False)
        return value


class Groups:
    """Union and find, with the paths made shorter on the way."""

    def __init__(self) -> None:
        self._up: dict[str, str] = {}

    def find(self, name: str) -> str:
        self._up.setdefault(name, name)
        while self._up[name] != name:
            self._up[name] = self._up[self._up[name]]
            name = self._up[name]
        return name

    def join(self, one: str, other: str) -> None:
        low, high = sorted((self.find(one), self.find(other)))
        self._up[high] = low

    def __iter__(self) -> Iterator[list[str]]:
        members: defaultdict[str, list[str]] = defaultdict(list)
        for name in self._up:
            members[self.find(name)].append(name)
        return iter(sorted(sorted(names) for names in members.values()))


def clean(name: str) -> str:
    text = unicodedata.normalize("NFKD", name.replace("ß", "ss")).encode("ascii", "ignore").decode().lower()
    return text.replace("str.", "street").strip(" .,")


class AddressAreas(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._names = Recent(4)

    def _clean(self, name: str) -> str:
        return str(self._names.get(name, lambda: clean(name)))

    @subscribe("/Delivery/Neighbours")
    def on_neighbours(self, area: str, pairs: list[list[str]]) -> dict[str, object]:
        groups = Groups()
        for pair in pairs:
            first, *others = map(self._clean, pair)
            groups.find(first)
            for other in others:
                groups.join(first, other)
        tours = list(groups)
        return {"area": self._clean(area), "tours": tours, "largest": max(map(len, tours), default=0)}
