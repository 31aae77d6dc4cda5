"""The names that fields have in the data, where a class has them made from the names in the code.

Only the rules of libraries, by the name that they have there: a function of the project's own would have to be run.
"""

from __future__ import annotations

from collections.abc import Callable

Rename = Callable[[str], str]


def _keep_underscores(join: Callable[[list[str]], str]) -> Rename:
    """A rule for the words of a name; underscores before the first of them stay."""

    def rename(name: str) -> str:
        words = [word for word in name.split("_") if word]
        return name[: len(name) - len(name.lstrip("_"))] + join(words)

    return rename


# `Struct(rename=…)` of msgspec.
STRUCT_RULES: dict[str, Rename] = {
    "lower": str.lower,
    "upper": str.upper,
    "camel": _keep_underscores(lambda words: "".join([*words[:1], *(word.title() for word in words[1:])])),
    "pascal": _keep_underscores(lambda words: "".join(word.title() for word in words)),
    "kebab": lambda name: "-".join(word for word in name.split("_") if word),
}


def find_alias_generator(full_name: str | None) -> Rename | None:
    """A function of `pydantic.alias_generators`; None for any other, and where pydantic is not installed."""
    module, _, name = (full_name or "").rpartition(".")
    if module != "pydantic.alias_generators":
        return None
    try:
        from pydantic import alias_generators
    except ImportError:
        return None
    return getattr(alias_generators, name, None)
