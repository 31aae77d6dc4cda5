"""Where the shipped examples are: in an installed package beside it, in a clone at the top of the repository."""

from __future__ import annotations

from pathlib import Path

from graphbus_core.errors import UsageError


def example(name: str) -> Path:
    """The folder of an example (`hello`, `news_pipeline`). Copy it before you change anything in it.

    Raises UsageError for one that is not there, with the names of those that are.
    """
    package_dir = Path(__file__).resolve().parent.parent
    # The installed package first: a clone beside it may be of another edition.
    homes = [home for home in (package_dir / "_examples", package_dir.parent / "examples") if home.is_dir()]
    for home in homes:
        if (home / name).is_dir():
            return home / name
    known_names = sorted(
        p.name for home in homes for p in home.iterdir() if p.is_dir() and not p.name.startswith((".", "_"))
    )
    raise UsageError(
        f"There is no example {name!r}; there are {', '.join(known_names) or 'none in this installation'}."
    )
