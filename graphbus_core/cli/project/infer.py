"""`graphbus infer`: who gives what to whom in any Python project, and what cannot fit. It changes and runs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from graphbus_core.cli import options

app = typer.Typer(add_completion=False)

FEW_COMPONENTS, FEW_METHODS, FEW_LINKS = 12, 6, 15


@app.command()
def infer(
    path: Annotated[str, typer.Argument(help="Any Python project.")] = ".",
    every: Annotated[bool, typer.Option("--all", help="Every component and link, not the first few.")] = False,
    form: options.Format = None,
    root: options.Root = None,
    contracts: Annotated[
        bool, typer.Option("--contracts", help="What contracts.toml would get: a diff; changes nothing.")
    ] = False,
    write: Annotated[bool, typer.Option("--write", help="With --contracts: write what is shown.")] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="What `graphbus init --decorators --write` would write: changes nothing.")
    ] = False,
    from_tests: Annotated[
        str | None,
        typer.Option(help='Run these tests in the sandbox, and let the types they send sharpen it: "pytest -q".'),
    ] = None,
    values: Annotated[bool, typer.Option("--values", help="With --from-tests: keep short examples too.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Read a project as it is: components, their contracts, links, and mismatches with a payload.

    Each contract says how sure it is: declared (a hint or a model says so), certain (every return shows it), likely
    (a default or a docstring says so), unknown. Exits 1 where something declared or certain cannot fit.
    """
    from graphbus_core.errors import UsageError
    from graphbus_core.settings import effective
    from graphbus_core.workspace.reads import infer as read

    _refuse(path, root, contracts=contracts, write=write, values=values, from_tests=from_tests)
    settings = effective(path).over({"format": form})
    found = read(path, root=root, links=not (contracts or diff), among=settings.among)
    if not found.files:
        raise UsageError(f"{found.root} holds no Python file (tests aside). Give the folder of a Python project.")
    words: list[str] = []
    more: dict[str, Any] = {}
    if from_tests is not None:
        from graphbus_core.cli.project.observed import seen_in_tests

        found, words, more = seen_in_tests(found, from_tests, values)
    if diff:
        from graphbus_core.cli.project.decorators import show

        show(found, as_json)
    elif contracts:
        _contracts(found, settings, write, as_json)
    else:
        _told(found, settings, every, as_json, words, more)


def _refuse(path: str, root: str | None, *, contracts: bool, write: bool, values: bool, from_tests: str | None) -> None:
    """Raises UsageError for options that do not go together, and for folders that are not there."""
    from pathlib import Path

    from graphbus_core.errors import UsageError

    if not Path(path).exists():
        raise UsageError(f"There is no {path}. Give the folder of a Python project.")
    if root is not None and not Path(path).resolve().is_relative_to(Path(root).resolve()):
        raise UsageError(f"--root {root} does not hold {path}. Give that folder, or one above it.")
    if write and not contracts:
        raise UsageError("--write says what to do with --contracts: give both. Else `infer` changes nothing.")
    if values and from_tests is None:
        raise UsageError('--values keeps examples of what tests send: give --from-tests "pytest -q" with it.')


def _told(found: Any, settings: Any, every: bool, as_json: bool, words: list[str], more: dict[str, Any]) -> None:
    """Print what was read, in the form that was asked for; exit 1 where something sure cannot fit."""
    import json

    from graphbus_core.findings import render
    from graphbus_core.shown import shown
    from graphbus_core.workspace.shows.inferred import judged_inferred

    judged = judged_inferred(found, settings)
    if as_json:
        told = {**found.to_dict(), "ok": not judged.fails, "findings": [one.to_dict() for one in judged.counted]}
        typer.echo(json.dumps(told | more, ensure_ascii=False))
    elif settings["format"] == "text":
        typer.echo(shown(text(found, judged, every, words)))
    else:
        typer.echo(render(judged, settings["format"]))
    if judged.fails:
        raise typer.Exit(1)


def _contracts(found: Any, settings: Any, write: bool, as_json: bool) -> None:
    """What `contracts.toml` has and would get, as a diff; written where that was asked for."""
    import json
    from difflib import unified_diff

    from graphbus_core.shown import shown
    from graphbus_core.workspace.compares.beside import proposed

    made = proposed(found, settings)
    name = made.path.name
    diff = "".join(unified_diff(made.old.splitlines(True), made.new.splitlines(True), f"a/{name}", f"b/{name}"))
    if write:
        made.write()
    if as_json:
        told = {"file": str(made.path), "written": write and bool(diff), "entries": made.entries, "diff": diff}
        typer.echo(json.dumps(told, ensure_ascii=False))
        return
    if not diff:
        typer.echo(f"{made.path} has all of it already." if made.old else "Nothing is sure enough to be written.")
        return
    typer.echo(shown(diff))
    typer.echo(
        f"Written to {made.path}. Next: `graphbus validate {made.path.parent}`."
        if write
        else "Nothing was changed. `graphbus infer --contracts --write` writes it."
    )


def text(found: Any, judged: Any, every: bool, more_blocks: Sequence[str] = ()) -> str:
    """What a person reads: what there is, who feeds whom, and last, where the eye ends, what does not fit."""
    from graphbus_core.findings.render.words import text as findings_text

    blocks = ["\n".join(_component(one, every)) for one in (found.components if every else _first(found.components))]
    if not every and len(found.components) > FEW_COMPONENTS:
        blocks.append(f"… and {len(found.components) - FEW_COMPONENTS} more components (--all shows them).")
    if found.links:
        lines = [f"{link.producer} => {link.consumer}    ({', '.join(link.places[:3])})" for link in found.links]
        shown_links = lines if every else lines[:FEW_LINKS]
        more = [f"… and {len(lines) - len(shown_links)} more"] if len(lines) > len(shown_links) else []
        blocks.append("\n".join(["Links", *(f"  {line}" for line in [*shown_links, *more])]))
    if judged.counted:
        blocks.append(findings_text(judged))
    blocks += [f"not read: {one}" for one in found.left_out]
    return "\n\n".join([*blocks, *more_blocks, _numbers(found, judged)])


def _first(components: Any) -> Any:
    """Those with the most methods, in the order of the files."""
    largest = sorted(components, key=lambda one: -len(one.methods))[:FEW_COMPONENTS]
    return [one for one in components if one in largest]


def _component(one: Any, every: bool) -> list[str]:
    lines = [f"{one.name}    ({one.file}:{one.line})"]
    shown_methods = one.methods if every else one.methods[:FEW_METHODS]
    lines += [f"  {method.level.name.lower():<8}  {method}{_from(method)}" for method in shown_methods]
    if len(one.methods) > len(shown_methods):
        lines.append(f"  … and {len(one.methods) - len(shown_methods)} more")
    return lines


def _from(method: Any) -> str:
    """Where a contract comes from; nothing where nobody says anything."""
    return f"    from {', '.join(method.sources)}" if method.sources else ""


def _numbers(found: Any, judged: Any) -> str:
    from graphbus_core.shown import counted

    levels = ", ".join(f"{number} {level.name.lower()}" for level, number in sorted(found.levels.items(), reverse=True))
    errors = sum(one.level.value == "error" for one in judged.counted)
    fits = "Nothing was found that cannot fit." if not errors else f"{errors} that cannot fit."
    return (
        f"{counted(len(found.components), 'component')} in {counted(found.files, 'file')}, "
        f"{counted(len(found.links), 'link')}. "
        f"Contracts: {levels or 'none'}. {fits}"
    )
