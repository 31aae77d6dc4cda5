"""`graphbus contracts`: check one contract against another, and list what a change breaks."""

from __future__ import annotations

from typing import Annotated, Any

import typer

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Check contracts, and what changed in them.")

Project = Annotated[str, typer.Option("--project", help="Where Node.method is looked up.")]
Dialect = Annotated[
    str | None, typer.Option(help="The dialect of files without $schema: draft4, draft6, draft7, 2019-09, 2020-12.")
]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: one JSON object on stdout.")]


@app.command()
def check(
    producer: Annotated[str, typer.Argument(help="A JSON Schema file, or Node.method (its output).")],
    consumer: Annotated[str, typer.Argument(help="A JSON Schema file, or Node.method (its input).")],
    project: Project = ".",
    dialect: Dialect = None,
    formats: Annotated[bool, typer.Option("--formats", help="Count `format` as a constraint.")] = False,
    as_json: AsJson = False,
) -> None:
    """Does every payload of PRODUCER fit CONSUMER? Exits 0: yes, 1: no, with a payload that proves it, 3: unknown.

    Two methods are read as a link (the producer sends what it declares, the consumer ignores what it does not
    declare); files keep the semantics of JSON Schema.
    """
    from graphbus_core import contracts
    from graphbus_core.build import evolution

    sides = (evolution.side(producer, project, "output"), evolution.side(consumer, project, "input"))
    verdict = contracts.check(*sides, dialect=dialect, formats=True if formats else None)
    if as_json:
        _json(verdict.to_dict())
    else:
        _verdict(producer, consumer, verdict)
    _exit(verdict.compatible)


@app.command()
def diff(
    old: Annotated[str, typer.Argument(help="The old version; with --against: the file or project folder to compare.")],
    new: Annotated[str | None, typer.Argument(help="The new version.")] = None,
    mode: Annotated[str, typer.Option(help="BACKWARD, FORWARD, FULL, or one of them with _TRANSITIVE.")] = "BACKWARD",
    against: Annotated[str | None, typer.Option(help="A git revision that holds the old version.")] = None,
    side: Annotated[str, typer.Option(help="Which side of Node.method: input or output.")] = "output",
    project: Project = ".",
    dialect: Dialect = None,
    as_json: AsJson = False,
) -> None:
    """What changed between two versions, and whom it breaks. Exits 0: fits the mode, 1: does not, 3: unknown.

    `graphbus contracts diff FOLDER --against main` compares every method of a project, each side by its own rule
    (outputs narrow safely, inputs widen safely): for a CI job that stops a breaking change.
    """
    from pathlib import Path

    from graphbus_core.build import evolution
    from graphbus_core.errors import UsageError

    if (new is None) == (against is None):
        raise UsageError("graphbus contracts diff wants two versions: OLD NEW, or PATH --against GIT_REF.")
    if side not in ("input", "output"):
        raise UsageError(f"--side is {side!r}; use input or output.")
    if against is not None and Path(old).is_dir():
        with evolution.at_revision(old, against) as before:
            found = evolution.project_changes(str(before), old)
        _project(found, as_json)
        return
    after = evolution.side(old if new is None else new, project, side)
    if against is not None:
        before_side: Any = evolution.read_schema(evolution.file_at_revision(old, against), old)
    else:
        before_side = evolution.side(old, project, side)
    _versions(before_side, after, mode, dialect, as_json)


def _versions(old: Any, new: Any, mode: str, dialect: str | None, as_json: bool) -> None:
    from graphbus_core import contracts

    answer = contracts.compatibility(old, new, mode, dialect=dialect)
    read = [
        s if isinstance(s, contracts.Contract) else contracts.Contract.from_json_schema(s, dialect=dialect)
        for s in (old, new)
    ]
    found = contracts.changes(*read)
    if as_json:
        _json({**answer.to_dict(), "changes": [c.to_dict() for c in found]})
    else:
        for change in found:
            breaks = f"   breaks {' and '.join(sorted(change.breaks))}" if change.breaks else ""
            _say(f"{'✗' if change.breaks else '·'} {change.message}{breaks}")
            if change.breaks and change.suggestion:
                _say(f"    instead: {change.suggestion}")
        _say(f"{_said(answer.compatible)} {answer.mode}.")
        for _, direction, verdict in answer.verdicts:
            if verdict.compatible is not True:
                _reasons(verdict, "the old contract" if direction == "BACKWARD" else "the new contract")
    _exit(answer.compatible)


def _project(found: Any, as_json: bool) -> None:
    breaking = [c for c in found if c.breaking]
    if as_json:
        _json({"compatible": not breaking, "changes": [c.to_dict() for c in found]})
    else:
        for one in found:
            _say(f"{'✗' if one.breaking else '·'} {one.method}: {one.message}")
            if one.breaking and one.change is not None and one.change.suggestion:
                _say(f"    instead: {one.change.suggestion}")
        _say(f"{len(found)} changes, {len(breaking)} breaking." if found else "No contract changed.")
    _exit(not breaking)


def _verdict(producer: str, consumer: str, verdict: Any) -> None:
    if verdict.compatible:
        _say(f"✓ every payload of {producer} fits {consumer}.")
        return
    if verdict.compatible is None:
        _say(f"? whether {producer} fits {consumer} was not decided.")
    else:
        _say(f"✗ {producer} does not fit {consumer}.")
    _reasons(verdict, producer)


def _reasons(verdict: Any, producer: str) -> None:
    import json

    for reason in verdict.reasons:
        _say(f"    {reason.message}")
    if verdict.has_counterexample:
        text = json.dumps(verdict.counterexample, ensure_ascii=False)
        _say(f"    {producer} may send   {text if len(text) <= 2_000 else text[:2_000] + '…'}")


def _said(compatible: bool | None) -> str:
    return (
        "? It was not decided whether this is" if compatible is None else "✓ Fits" if compatible else "✗ Does not fit"
    )


def _say(text: str) -> None:
    """One line; half a character, which JSON can hold and no encoding can say, is written as its code."""
    typer.echo(text.encode("utf-8", "backslashreplace").decode())


def _json(data: Any) -> None:
    import json

    _say(json.dumps(data, ensure_ascii=False))


def _exit(compatible: bool | None) -> None:
    if compatible is not True:
        raise typer.Exit(3 if compatible is None else 1)
