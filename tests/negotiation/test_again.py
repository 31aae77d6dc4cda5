"""The interpreter loses count when two threads parse at once: pure work is asked again, and nothing else is hidden."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from graphbus_core.negotiation.core.session import PARSER_TRIES, retry_on_parser_fault
from tests.negotiation.paper import negotiate, pipeline, proposals, propose, script

LOST = "AST constructor recursion depth mismatch (before=39, after=95)"
AGENTS, LINKS = pipeline()
BODY = {"op": "replace_body", "node": "B", "method": "take", "body": "return {'y': 1}"}


def test_a_negotiation_goes_on_when_parsing_fails_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The build ended with a traceback, once in some thousands of answers."""
    whole, failed = ast.parse, []

    def parse(source: Any, *rest: Any, **more: Any) -> Any:
        if "'y': 1" in str(source) and not failed:
            failed.append(source)
            raise SystemError(LOST)
        return whole(source, *rest, **more)

    monkeypatch.setattr(ast, "parse", parse)
    ran = negotiate(AGENTS, LINKS, script({"B.propose": proposals(propose(BODY))}))
    assert failed
    assert [p.outcome for p in ran.outcome.proposals] == ["committed"]


def test_it_is_asked_a_bounded_number_of_times_and_for_that_alone() -> None:
    """Any other error is one."""
    asked: list[int] = []

    def fail(text: str) -> None:
        asked.append(1)
        raise SystemError(text)

    with pytest.raises(SystemError):
        retry_on_parser_fault(lambda: fail(LOST))
    assert len(asked) == PARSER_TRIES
    with pytest.raises(SystemError, match="else"):
        retry_on_parser_fault(lambda: fail("something else"))
    assert len(asked) == PARSER_TRIES + 1
