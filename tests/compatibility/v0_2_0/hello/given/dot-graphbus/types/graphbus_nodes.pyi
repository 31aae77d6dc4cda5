# Written by `graphbus build`: do not edit.
from typing import Any, NotRequired, TypedDict

class _Greeter_greet(TypedDict):
    message: str

class _GuestBook_read(TypedDict):
    greetings: list[str]

class _Greeter:
    def on_asked(self, *, name: str) -> Any: ...
    def greet(self, *, name: str) -> _Greeter_greet: ...

class _AGreeter:
    async def on_asked(self, *, name: str) -> Any: ...
    async def greet(self, *, name: str) -> _Greeter_greet: ...

class _GuestBook:
    def on_greeted(self, *, message: str) -> Any: ...
    def read(self) -> _GuestBook_read: ...

class _AGuestBook:
    async def on_greeted(self, *, message: str) -> Any: ...
    async def read(self) -> _GuestBook_read: ...

class Nodes:
    Greeter: _Greeter
    GuestBook: _GuestBook

class ANodes:
    Greeter: _AGreeter
    GuestBook: _AGuestBook
