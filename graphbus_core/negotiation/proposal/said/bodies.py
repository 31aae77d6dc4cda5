"""A body as it was meant: taken out of its `def` or its class, and refused where it stands for something unwritten.

Weaker models answer `replace_body` with the whole method, with its decorators, or with the class around it. What is
meant is plain: the body of that one method. Where more than that was changed, or where a comment stands for code that
was left out, nothing can be taken for certain, and the author is told. Text in, text out; nothing is run.
"""

from __future__ import annotations

import ast
import re
import textwrap

from graphbus_core.syntax import is_docstring

# A comment or an ellipsis that stands for code which its author did not write down.
_ELIDED = re.compile(
    r"(?im)^\s*(?:#|\.\.\.|//)\W*(?:\.\.\.|…)?\W*"
    r"(?:(?:the\s+)?(?:rest|remainder|remaining|existing|previous|original|other|same|unchanged|keep|your)\b[^\n]*"
    r"\b(?:unchanged|same|here|as\s+before|remains?|above|code|logic|body|implementation|method|file)\b"
    r"|(?:todo\W*)?(?:implement(?:\s+(?:this|me|it))?|implementation\s+(?:goes\s+)?here)[ \t]*$"
    r"|(?:todo\W*)?(?:add|put|insert|write)\s+(?:your|the\s+actual|real)\s[^\n]*\b(?:code|logic|implementation)\b"
    r"|\.\.\.|…|snip|omitted|etc)\W*[^\n]*$"
)

_Def = ast.FunctionDef | ast.AsyncFunctionDef


class NotABody(Exception):
    """The text cannot be taken as the body of that method; the message says why, for its author."""


def body_of(text: str, owner: str, method: str) -> str:
    """The body of `owner.method` that `text` holds: as it is, or out of the `def` or class that it was wrapped in.

    Raises NotABody where the text holds another method, more than one, or a class that changes more than this method.
    A text that does not parse is given back as it is: whoever parses it says where it breaks.
    """
    plain = textwrap.dedent(text).strip("\n")
    try:
        tree = ast.parse(plain)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text
    found = _wrapped(tree.body, owner, method)
    if found is None:
        return text
    lines = plain.splitlines()
    first = found.body[0]
    start = min([first.lineno, *(d.lineno for d in getattr(first, "decorator_list", ()))])
    head = found.body[0].col_offset
    if first.lineno == found.lineno:  # def f(self): return 1
        return lines[first.lineno - 1].encode()[head:].decode()
    end = found.end_lineno or len(lines)
    # Comments between the `def` line and the first statement belong to the body; the signature may take lines itself.
    begin = start - 1
    while begin > found.lineno and lines[begin - 1].lstrip().startswith("#"):
        begin -= 1
    return textwrap.dedent("\n".join(lines[begin:end]))


def _wrapped(body: list[ast.stmt], owner: str, method: str) -> _Def | None:
    """The one definition that the whole text is, or the one in the one class that it is; None for a plain body."""
    stated = [node for node in body if not is_docstring(node)]
    if len(stated) != 1:
        if any(isinstance(n, ast.ClassDef) and n.name == owner for n in stated):
            raise NotABody(f"it holds the class {owner} and more; give the body of {method} alone")
        return None
    (only,) = stated
    if isinstance(only, _Def):
        if only.name == method:
            return only
        # A body may define a function and do nothing else only by mistake: nothing would use it.
        raise NotABody(f"it holds nothing but a function {only.name}; give the body of {method}")
    if isinstance(only, ast.ClassDef):
        return _in_class(only, owner, method)
    return None


def _in_class(only: ast.ClassDef, owner: str, method: str) -> _Def:
    methods = [n for n in only.body if isinstance(n, _Def)]
    ours = [n for n in methods if n.name == method]
    if only.name != owner or len(ours) != 1:
        raise NotABody(f"it holds the class {only.name}; give the body of {owner}.{method} alone")
    if len(methods) > 1:
        # The other methods may or may not differ from what stands in the file: that is not for us to guess.
        raise NotABody(f"it holds the whole class {owner}; give the body of {method} alone, and one operation a method")
    return ours[0]


def elided(text: str) -> str | None:
    """The line that stands for code its author left out (`# ... rest unchanged`), or None.

    A bare `...` counts as a statement beside others. Alone it is a body, and means that there is nothing to do.
    """
    if found := _ELIDED.search(text):
        return found[0].strip()[:120]
    try:
        tree = ast.parse(textwrap.dedent(text).strip("\n"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for block in _blocks(tree):
        if len(block) > 1 and any(_is_ellipsis(n) for n in block):
            return "..."
    return None


def _blocks(tree: ast.AST) -> list[list[ast.stmt]]:
    found = []
    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                found.append([n for n in block if isinstance(n, ast.stmt) and not is_docstring(n)])
    return found


def _is_ellipsis(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and node.value.value is Ellipsis
