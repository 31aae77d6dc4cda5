"""Templates: `{name}` is replaced by a value."""
from __future__ import annotations

import re
from collections.abc import Mapping

HOLE = re.compile(r"\{(\w+)\}")

COMMENT = "<article id=c{number}><h3>{author}</h3><p>{body}</p></article>"
PAGE = "<h1>{title}</h1>"


def fill(template: str, values: Mapping[str, object]) -> str:
    def one(m: re.Match[str]) -> str:
        return str(values[m[1]])

    return HOLE.sub(one, template)
