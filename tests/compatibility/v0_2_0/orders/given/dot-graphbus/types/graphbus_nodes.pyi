# Written by `graphbus build`: do not edit.
from typing import Any, NotRequired, TypedDict

class _Shop_sold(TypedDict):
    sold: int

class _Shop_apples(TypedDict):
    left: int

class _Shop_wipe(TypedDict):
    wiped: bool

class _Stock_take(TypedDict):
    left: int

class _Stock_look(TypedDict):
    left: int

class _Stock_wipe(TypedDict):
    wiped: bool

class _Shop:
    def on_order(self, **arguments: Any) -> Any: ...
    def sold(self) -> _Shop_sold: ...
    def apples(self) -> _Shop_apples: ...
    def wipe(self) -> _Shop_wipe: ...

class _AShop:
    async def on_order(self, **arguments: Any) -> Any: ...
    async def sold(self) -> _Shop_sold: ...
    async def apples(self) -> _Shop_apples: ...
    async def wipe(self) -> _Shop_wipe: ...

class _Stock:
    def take(self, *, sku: str) -> _Stock_take: ...
    def look(self, *, sku: str) -> _Stock_look: ...
    def wipe(self) -> _Stock_wipe: ...

class _AStock:
    async def take(self, *, sku: str) -> _Stock_take: ...
    async def look(self, *, sku: str) -> _Stock_look: ...
    async def wipe(self) -> _Stock_wipe: ...

class Nodes:
    Shop: _Shop
    Stock: _Stock

class ANodes:
    Shop: _AShop
    Stock: _AStock
