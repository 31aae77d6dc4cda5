"""What the tests of commits share."""

from __future__ import annotations

import pytest


@pytest.fixture
def without_types(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the extra `[types]` is not installed: the gates behind the types gate are reached."""
    for engine in ("ty", "pyrefly"):
        monkeypatch.setattr(f"graphbus_core.analysis.type_checker.{engine}.find_executable", lambda: None)
