"""A body is taken as it was meant, and refused where that is not certain."""

from __future__ import annotations

import ast
import textwrap
from contextlib import suppress

import pytest
from hypothesis import given, strategies as st

from graphbus_core.negotiation.proposal import answer_parsing
from graphbus_core.negotiation.proposal.answer_parsing import NotABody, extract_body, find_elision

PLAIN = 'x = 1\nreturn {"a": x}'


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "def clean(self, items):\n" + textwrap.indent(PLAIN, "    "),
        "    def clean(self, items):\n" + textwrap.indent(PLAIN, "        "),
        "async def clean(self, items):\n" + textwrap.indent(PLAIN, "    "),
        "@schema_method(output_schema={'a': int})\ndef clean(self,\n    items):\n" + textwrap.indent(PLAIN, "    "),
        "class Cleaner(GraphBusNode):\n    def clean(self, items):\n" + textwrap.indent(PLAIN, "        "),
        "class Cleaner:\n    X = 1\n\n    @a\n    def clean(self):\n" + textwrap.indent(PLAIN, "        "),
    ],
)
def test_the_body_is_taken_out_of_what_it_was_wrapped_in(text: str) -> None:
    assert extract_body(text, "Cleaner", "clean") == PLAIN


def test_comments_above_the_first_statement_belong_to_the_body() -> None:
    text = "def clean(self):\n    # why\n    # this\n    return 1"
    assert extract_body(text, "Cleaner", "clean") == "# why\n# this\nreturn 1"


def test_a_body_of_one_line_is_taken_too() -> None:
    assert extract_body("def clean(self): return 'ä'", "Cleaner", "clean") == "return 'ä'"


@pytest.mark.parametrize(
    "text",
    [
        "def other(self):\n    return 1",
        "class Other:\n    def clean(self):\n        return 1",
        "class Cleaner:\n    def clean(self):\n        return 1\n    def more(self):\n        return 2",
        "import re\nclass Cleaner:\n    def clean(self):\n        return 1",
    ],
)
def test_what_holds_more_than_the_method_is_refused(text: str) -> None:
    with pytest.raises(NotABody):
        extract_body(text, "Cleaner", "clean")


@pytest.mark.parametrize(
    "text", ["def inner():\n    return 1\nreturn inner()", "return (", "class A:\n    pass\nreturn A"]
)
def test_a_plain_body_is_left_as_it_is(text: str) -> None:
    assert extract_body(text, "Cleaner", "clean") == text


@pytest.mark.parametrize(
    "text",
    [
        "x = 1\n# ... rest unchanged\nreturn x",
        "# rest of the method stays the same\nreturn 1",
        "# existing code here\nreturn 1",
        "x = 1\n...\nreturn x",
        "if a:\n    ...\n    b = 1\nreturn b",
        "# ... (unchanged)\nreturn 1",
        "# … existing logic …\nreturn 1",
        "# keep the original implementation\nreturn 1",
        "...  # other code remains\nreturn 1",
    ],
)
def test_a_comment_that_stands_for_code_is_found(text: str) -> None:
    assert find_elision(text)


@pytest.mark.parametrize(
    "text",
    [
        "...",
        '"""What it does."""\n...',
        "# the rest is sorted by name\nreturn sorted(x)",
        "# keep the first\nreturn x[0]",
        "# same order as the input\nreturn list(x)",
        "raise NotImplementedError  # for now",
        "return x[..., 0]",
        "# other feeds have no title\nreturn ''",
    ],
)
def test_ordinary_comments_are_not_taken_for_it(text: str) -> None:
    assert find_elision(text) is None


def test_an_answer_with_left_out_code_is_handed_back() -> None:
    op = {"op": "replace_body", "node": "A", "method": "m", "body": "x = 1\n# ... rest unchanged\nreturn x"}
    with pytest.raises(answer_parsing.Unreadable, match="rest unchanged"):
        answer_parsing.read_diff([op], "A")


@given(st.text(max_size=200))
def test_no_text_whatever_raises_anything_else(text: str) -> None:
    assert find_elision(text) is None or find_elision(text) in text or find_elision(text) == "..."
    with suppress(NotABody):
        assert isinstance(extract_body(text, "A", "m"), str)


def test_what_is_taken_out_parses() -> None:
    text = "class Cleaner:\n    def clean(self):\n        if self:\n            return 1\n        return 2\n"
    made = ast.parse("def f():\n" + textwrap.indent(extract_body(text, "Cleaner", "clean"), "    ")).body[0]
    assert isinstance(made, ast.FunctionDef)
    assert [type(node) for node in made.body] == [ast.If, ast.Return]
