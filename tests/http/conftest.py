"""The API's tests run against the real command."""

from tests.serving import serve

__all__ = ["serve"]
