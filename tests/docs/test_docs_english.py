"""The documents can be read once: short sentences, and words that a colleague would say aloud."""

from __future__ import annotations

import ast
import re
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT
from tests.structure.house import read_house, walk_statements

PAGES = [
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")),
]
MOST_AT_THE_MEDIAN = 20  # words of a sentence

# What the house says and nobody else: each of these was read twice by somebody. What to write instead stands beside it.
DIALECT = {
    r"(?<!there )\b(?:is|are) none\b(?! of)": "is missing, does not exist",
    r"(?<!there )(?<!there also )\b(?:is|are) no (?!longer\b|more\b|other\b)[a-z]+\b": "is not a …",
    r"(?<!what )(?<!nothing )\bis said\b": "the build prints, the log says",
    r"\bit is so said\b": "it is reported",
    r"\bis spoken of\b": "is named",
    r"\bis thought of\b": "is considered",
    r"\bmet on the way\b": "found",
    r"\bfor they\b": "because they",
    r"\bfor it\b(?= (?:is|has|was|would|may|can)\b)": "because it",
    r"\bbe it\b": "whether",
    r"\bthereof\b|\btherein\b|\bthereby\b|\bwhereof\b|\bwherein\b": "of it, in it, by it",
    r"\blest\b": "so that … not",
    r"\bhence\b": "so",
    r"\bsave for\b": "except",
    r"\bnought\b|\baught\b": "nothing, anything",
}


def prose(text: str) -> str:
    """The text without code, tables, headings, links' addresses and front matter: what is read as sentences."""
    text = re.sub(r"^( *)```.*?^\1```", "", text, flags=re.S | re.M)
    text = re.sub(r"^<!--.*?-->$", "", text, flags=re.S | re.M)
    text = re.sub(r"^(?:#.*|\|.*|---.*|\s*!\[.*)$", "", text, flags=re.M)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"`[^`\n]*`", "it", text)


def sentences(text: str) -> list[str]:
    """Sentences and bullets. A full stop inside a number or a name ends nothing."""
    found = []
    for part in re.split(r"\n\s*\n|^\s*(?:[-*]|\d+\.)\s+", prose(text), flags=re.M):
        found += re.split(r"(?<=[.!?:])\s+(?=[A-Z*_`\"(])", " ".join(part.split()))
    return [one for one in found if len(one.split()) > 2]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_sentences_are_short(page: Path) -> None:
    """Half of them have at most twenty words."""
    words = [len(one.split()) for one in sentences(page.read_text("utf-8"))]
    if words:
        assert statistics.median(words) <= MOST_AT_THE_MEDIAN, sorted(words)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_words_are_those_of_other_people(page: Path) -> None:
    """No word of the dialect that grew in this house."""
    text = " ".join(prose(page.read_text("utf-8")).split())
    found = [
        f"…{text[max(0, m.start() - 40) : m.end() + 40]}…  write: {instead}"
        for pattern, instead in DIALECT.items()
        for m in re.finditer(pattern, text, re.I)
    ]
    assert found == [], "\n" + "\n".join(found)


def test_sentences_are_told_apart() -> None:
    """The measure measures: a long sentence, a list, code and a table are seen as what they are."""
    text = "One two three. Four five six!\n\n- a b c\n- d e f\n\n```\nnot a sentence at all\n```\n| not | this | too |"
    assert sentences(text) == ["One two three.", "Four five six!", "a b c", "d e f"]
    assert max(len(one.split()) for one in sentences("word " * 30)) == 30
    for said in ("a key that is none.", "values that are no JSON", "the reason is said in the log"):
        assert any(re.search(pattern, said, re.I) for pattern in DIALECT), said
    for said in ("there is none", "there is no key", "it is no longer so", "what is said is kept"):
        assert not any(re.search(pattern, said, re.I) for pattern in DIALECT), said


def messages(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The texts of a module that somebody may be shown, each with its line: what is not the docstring of anything."""
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value


def test_messages_say_what_a_thing_is_not() -> None:
    """No "is no file" in what the program says: "is not a file". Reference: the house's own dialect, DIALECT above."""
    pattern = re.compile(next(p for p, instead in DIALECT.items() if instead == "is not a …"), re.I)
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {text[:80]!r}"
        for path, source in read_house().text.items()
        if pattern.search(source)
        for line, text in messages(read_house().tree[path])
        if pattern.search(text)
    ]
    assert wrong == [], "\n".join(wrong)
    assert [*messages(ast.parse('"""is no file"""\nx = f"{y} is no file"'))] == [(2, " is no file")]


def test_docstrings_are_in_the_words_of_other_people() -> None:
    """The dialect of the pages, in every docstring. `None` with a capital is Python's."""
    wrong = []
    for path, tree in read_house().tree.items():
        for node in walk_statements(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = " ".join(re.sub(r"`[^`]*`|\bNone\b", "X", ast.get_docstring(node) or "").split())
                wrong += [
                    f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}: …{text[max(0, m.start() - 30) : m.end()]}"
                    for pattern in DIALECT
                    for m in re.finditer(pattern, text, re.I)
                ]
    assert wrong == [], "\n".join(wrong)
