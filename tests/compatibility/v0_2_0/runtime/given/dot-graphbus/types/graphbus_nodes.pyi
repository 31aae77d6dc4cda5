# Written by `graphbus build`: do not edit.
from typing import Any, NotRequired, TypedDict

class _Desk_place(TypedDict):
    placed: bool

class _Packer_all(TypedDict):
    packed: list[int]

class _Desk:
    def place(self, *, id: int, sku: str) -> _Desk_place: ...

class _ADesk:
    async def place(self, *, id: int, sku: str) -> _Desk_place: ...

class _Packer:
    def on_placed(self, **arguments: Any) -> Any: ...
    def all(self) -> _Packer_all: ...

class _APacker:
    async def on_placed(self, **arguments: Any) -> Any: ...
    async def all(self) -> _Packer_all: ...

class Nodes:
    Desk: _Desk
    Packer: _Packer

class ANodes:
    Desk: _ADesk
    Packer: _APacker
