"""Source of newer Pythons is read by this one, line by line where it stood."""

from __future__ import annotations

import ast
import sys

import pytest

from graphbus_core.analysis.newer_syntax import parse_source

FORMS = {
    "def f[T: (int,\n  str)](x: T) -> T:\n    return x": "def f(x: T) -> T:\n    return x",
    "class A[T, *Ts, **P](B):\n    pass": "class A(B):\n    pass",
    "type Rows[T] = list[T]": "Rows = list[T]",
    "if x:\n    type A = int": "if x:\n    A = int",
    "try:\n    pass\nexcept A.b, C:\n    pass": "try:\n    pass\nexcept (A.b, C):\n    pass",
    "try:\n    pass\nexcept* A, C: pass": "try:\n    pass\nexcept* (A, C): pass",
    'a = t"{x}" + t"""b\n{c}"""': "a = ... + ...",
    "lazy import json\nlazy from a import b": "import json\nfrom a import b",
    'x = f"{t"{y}"}" + g(1)': 'x = "" + g(1)',
    "type = 3\ntype.x = type(4)": "type = 3\ntype.x = type(4)",
}


@pytest.mark.parametrize("newer", FORMS)
def test_a_newer_form_is_read_as_the_nearest_older_one(newer: str) -> None:
    # Beside it stands what no Python before 3.15 reads, so that each is rewritten here.
    tree = parse_source(f"lazy import here\n{newer}\nlast = 1\n".encode())
    here, *rest, last = tree.body
    assert ast.unparse(here) == "import here"
    assert "\n".join(map(ast.unparse, rest)) == ast.unparse(ast.parse(FORMS[newer]))
    assert last.lineno == newer.count("\n") + 3


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python reads it itself")
def test_a_text_that_nests_quotes_is_a_text() -> None:
    tree = parse_source(b'x = f"{row["a"]!r:>{"w"}} {"\\n".join(y)}" + g(1)\n')
    assert ast.unparse(tree) == "x = '' + g(1)"


@pytest.mark.parametrize("broken", ["def x(:", "type = = 3", "f'{", "except A, B:", "a = '", "t'''", "[" * 500])
def test_what_is_wrong_in_every_python_is_told_as_it_stands(broken: str) -> None:
    with pytest.raises(SyntaxError) as mine:
        parse_source(broken.encode())
    with pytest.raises(SyntaxError) as theirs:
        ast.parse(broken)
    assert (mine.value.msg, mine.value.lineno) == (theirs.value.msg, theirs.value.lineno)
