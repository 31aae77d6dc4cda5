# Written by `graphbus build`: do not edit.
from typing import Any, NotRequired, TypedDict

class _CleanerService_clean(TypedDict):
    items: list[str]
    source: NotRequired[str]
    cleaned_at: NotRequired[str]

class _FetcherService_fetch_headlines(TypedDict):
    headlines: list[str]
    source: NotRequired[str]

class _FormatterService_format_digest(TypedDict):
    digest: str

class _CleanerService:
    def clean(self, *, headlines: list[str]) -> _CleanerService_clean: ...

class _ACleanerService:
    async def clean(self, *, headlines: list[str]) -> _CleanerService_clean: ...

class _FetcherService:
    def fetch_headlines(self) -> _FetcherService_fetch_headlines: ...

class _AFetcherService:
    async def fetch_headlines(self) -> _FetcherService_fetch_headlines: ...

class _FormatterService:
    def format_digest(self, *, items: list[str], source: str = ...) -> _FormatterService_format_digest: ...
    def header(self, **arguments: Any) -> Any: ...
    def footer(self, **arguments: Any) -> Any: ...

class _AFormatterService:
    async def format_digest(self, *, items: list[str], source: str = ...) -> _FormatterService_format_digest: ...
    async def header(self, **arguments: Any) -> Any: ...
    async def footer(self, **arguments: Any) -> Any: ...

class Nodes:
    CleanerService: _CleanerService
    FetcherService: _FetcherService
    FormatterService: _FormatterService

class ANodes:
    CleanerService: _ACleanerService
    FetcherService: _AFetcherService
    FormatterService: _AFormatterService
