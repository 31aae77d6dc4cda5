# Written by `graphbus build`: do not edit.
from typing import Any, NotRequired, TypedDict

class _CleanerService_clean_articles_item(TypedDict):
    title: str
    link: str
    summary: str
    published: str

class _CleanerService_clean(TypedDict):
    articles: list[_CleanerService_clean_articles_item]
    minutes: float
    feed_title: str

class _CleanerService_clean_headlines_item(TypedDict):
    title: str
    link: str
    summary: str
    published: str

class _FetcherService_fetch_headlines_headlines_item(TypedDict):
    title: str
    link: str
    summary: str
    published: str

class _FetcherService_fetch_headlines(TypedDict):
    feed_title: str
    headlines: list[_FetcherService_fetch_headlines_headlines_item]

class _FormatterService_format_digest(TypedDict):
    digest: str

class _FormatterService_format_digest_articles_item(TypedDict):
    title: str
    link: str
    summary: str
    published: str

class _CleanerService:
    def clean(self, *, headlines: list[_CleanerService_clean_headlines_item], feed_title: str) -> _CleanerService_clean: ...

class _ACleanerService:
    async def clean(self, *, headlines: list[_CleanerService_clean_headlines_item], feed_title: str) -> _CleanerService_clean: ...

class _FetcherService:
    def fetch_headlines(self, *, source: str) -> _FetcherService_fetch_headlines: ...

class _AFetcherService:
    async def fetch_headlines(self, *, source: str) -> _FetcherService_fetch_headlines: ...

class _FormatterService:
    def format_digest(self, *, feed_title: str, articles: list[_FormatterService_format_digest_articles_item], minutes: float, edition: str = ...) -> _FormatterService_format_digest: ...
    def first_sentence(self, **arguments: Any) -> Any: ...

class _AFormatterService:
    async def format_digest(self, *, feed_title: str, articles: list[_FormatterService_format_digest_articles_item], minutes: float, edition: str = ...) -> _FormatterService_format_digest: ...
    async def first_sentence(self, **arguments: Any) -> Any: ...

class _PipelineArbiter:
    ...

class _APipelineArbiter:
    ...

class Nodes:
    CleanerService: _CleanerService
    FetcherService: _FetcherService
    FormatterService: _FormatterService
    PipelineArbiter: _PipelineArbiter

class ANodes:
    CleanerService: _ACleanerService
    FetcherService: _AFetcherService
    FormatterService: _AFormatterService
    PipelineArbiter: _APipelineArbiter
