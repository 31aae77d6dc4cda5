from __future__ import annotations

import dataclasses as dc
import typing as tp

import typing_extensions as te

Level = tp.Literal["info", "error"]


@dc.dataclass
class Origin:
    file: str
    line: int


class BaseContext(te.TypedDict):
    worst: Level
    origins: te.NotRequired[tp.List[Origin]]


@dc.dataclass(kw_only=True)
class BaseLog:
    level: Level
    message: str
    origin: tp.Optional[Origin] = None
