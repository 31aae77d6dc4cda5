import copy
from dataclasses import dataclass, field


@dataclass
class Block:
    name: str
    rows: list[list[str]]


@dataclass
class Plan:
    blocks: dict[str, Block] = field(default_factory=dict)

    def block(self, name: str) -> Block:
        return self.blocks[name]


def _rows(n: int, width: int) -> list[list[str]]:
    return [["."] * width for _ in range(n)]


_HOUSE = Plan({
    "stalls": Block("stalls", _rows(4, 8)),
    "circle": Block("circle", _rows(3, 6)),
    "box": Block("box", _rows(2, 4)),
})

_plans: dict[str, Plan] = {}


def plan_for(show: str) -> Plan:
    """The plan of one performance; every performance starts from the empty house."""
    if show not in _plans:
        _plans[show] = Plan({name: copy.copy(b) for name, b in _HOUSE.blocks.items()})
    return _plans[show]


def empty_house() -> Plan:
    return copy.deepcopy(Plan({n: Block(n, _rows(len(b.rows), len(b.rows[0]))) for n, b in _HOUSE.blocks.items()}))
