"""`graphbus contracts`: check one contract against another, list what a change breaks, keep published versions."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from graphbus_core.cli.options import AsJson, Format, setting
from graphbus_core.shown import shortened

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Check contracts, and what changed in them.")

SOURCE = (
    "A schema file (JSON Schema, OpenAPI, AsyncAPI), a part of it (FILE#/pointer, 'FILE#GET /orders 200'), a folder, "
    "pkg.module:Name, or Node.method."
)
Project = Annotated[str, typer.Option("--project", help="Where Node.method and pkg.module:Name are looked up.")]
Dialect = Annotated[
    str | None, typer.Option(help="The dialect of files without $schema: draft4, draft6, draft7, 2019-09, 2020-12.")
]
Maps = Annotated[list[str] | None, setting("contracts.map", "--map")]
ReadingOption = Annotated[str | None, setting("contracts.reading", "--reading")]
HistoryOption = Annotated[str | None, setting("contracts.history", "--history")]
Exclude = Annotated[list[str] | None, setting("contracts.exclude", "--exclude")]


@app.command()
def check(
    producer: Annotated[str, typer.Argument(help=f"{SOURCE} Of a method, its output.")],
    consumer: Annotated[str, typer.Argument(help=f"{SOURCE} Of a method, its input.")],
    project: Project = ".",
    dialect: Dialect = None,
    maps: Maps = None,
    formats: Annotated[bool, typer.Option("--formats", help="Count `format` as a constraint.")] = False,
    as_json: AsJson = False,
) -> None:
    """Does every payload of PRODUCER fit CONSUMER? Exits 0: yes, 1: no, with a payload that proves it, 3: unknown.

    Two methods are read as a link (the producer sends what it declares, the consumer ignores what it does not
    declare); files keep the semantics of JSON Schema.
    """
    from graphbus_core.workspace.compares import check as decide

    sides = [_one(text, side, project, dialect, maps) for text, side in ((producer, "output"), (consumer, "input"))]
    verdict = decide(sides[0], sides[1], dialect=dialect, formats=True if formats else None)
    if as_json:
        _json(verdict.to_dict())
    else:
        _verdict(producer, consumer, verdict)
    _exit(verdict.compatible)


@app.command()
def diff(
    old: Annotated[str, typer.Argument(help="The old version; with --against or --history: what is compared.")],
    new: Annotated[str | None, typer.Argument(help="The new version.")] = None,
    mode: Annotated[str | None, typer.Option(help="BACKWARD, FORWARD, FULL, or one of them with _TRANSITIVE.")] = None,
    against: Annotated[str | None, typer.Option(help="git:REF[:PATH], a folder, a file, or a build.")] = None,
    history: Annotated[
        str | None, typer.Option(help="What was published (a folder), or what was tagged: 'git:v*'.")
    ] = None,
    side: Annotated[str, typer.Option(help="Which side of Node.method: input or output.")] = "output",
    reading: ReadingOption = None,
    project: Project = ".",
    dialect: Dialect = None,
    maps: Maps = None,
    exclude: Exclude = None,
    baseline: Annotated[str | None, setting("contracts.baseline")] = None,
    write_baseline: Annotated[bool, typer.Option(help="Keep what breaks today in the baseline; exit 0.")] = False,
    form: Format = None,
    as_json: AsJson = False,
) -> None:
    """What changed between two versions, and whom it breaks. Exits 0: fits the mode, 1: does not, 3: unknown.

    `graphbus contracts diff FOLDER --against git:main` compares every contract of a folder with a revision; those of a
    project each by their own side. A contract that is gone breaks. `--mode FULL_TRANSITIVE --history FOLDER` asks
    every published version, `--history 'git:v*'` every tagged one.
    """
    from graphbus_core.errors import UsageError
    from graphbus_core.settings import effective
    from graphbus_core.workspace.compares.asked import CompareRequest, answered
    from graphbus_core.workspace.compares.differences import keep

    said = effective(".").over(
        {
            "contracts.mode": mode,
            "contracts.reading": reading,
            "contracts.exclude": exclude,
            "contracts.baseline": baseline,
            "format": form,
        }
    )
    # The settings' history is used only where nothing was said: a version named on the command line goes before it.
    if (new, against, history) == (None, None, None):
        history = said["contracts.history"]
    if sum(x is not None for x in (new, against, history)) != 1:
        raise UsageError("graphbus contracts diff wants two versions: OLD NEW, PATH --against git:REF, or --history.")
    asked = CompareRequest(old, new, against, history, said["contracts.mode"], said["contracts.reading"], project)
    found = answered(asked, _how(said, maps, dialect, side))
    for note in found.notes:
        typer.echo(f"graphbus: {note}.", err=True)
    # Before it is judged: what is written down today is everything that breaks.
    if write_baseline:
        file, more = keep([one.finding for one in found.told], said)
        _say(f"{file} keeps what breaks today; {more} are new in it.")
        return
    _told(found.told, found.how, said, as_json or said["format"] == "json")


@app.command()
def changes(
    old: Annotated[str, typer.Argument(help=SOURCE)],
    new: Annotated[str, typer.Argument(help=SOURCE)],
    reading: ReadingOption = None,
    project: Project = ".",
    dialect: Dialect = None,
    maps: Maps = None,
    exclude: Exclude = None,
    form: Format = None,
    as_json: AsJson = False,
) -> None:
    """Every change between two versions, and which side each breaks. Exits 1 where one breaks either side."""
    diff(
        old,
        new,
        mode="FULL",
        reading=reading,
        project=project,
        dialect=dialect,
        maps=maps,
        exclude=exclude,
        form=form,
        as_json=as_json,
    )


@app.command()
def publish(
    folder: Annotated[str, typer.Argument(help="A folder of schema files, or one file.")],
    history: HistoryOption = None,
    mode: Annotated[str | None, typer.Option(help="Refuse a version that does not fit this mode.")] = None,
    dialect: Dialect = None,
    maps: Maps = None,
    exclude: Exclude = None,
    as_json: AsJson = False,
) -> None:
    """Write a new version of each contract that changed to the history: one file a version, with its digest."""
    from dataclasses import replace

    from graphbus_core.settings import effective
    from graphbus_core.workspace.compares import published, sources
    from graphbus_core.workspace.compares.asked import usual_mode

    said = effective(".").over({"contracts.history": history, "contracts.mode": mode, "contracts.exclude": exclude})
    how = replace(_how(said, maps, dialect), mode=usual_mode(said["contracts.mode"], "NONE"))
    how = sources.as_usual(how, sources.read(folder, how).items.values(), said["contracts.reading"])
    made, refused = published.publish(folder, said["contracts.history"] or published.HISTORY, how)
    if as_json:
        _json({"published": made, "refused": [f.to_dict() for f in refused]})
    else:
        for name in made:
            _say(f"✓ {name}")
        for one in refused:
            _line(one)
        if not made and not refused:
            _say("Nothing changed since the newest versions.")
    if refused:
        raise typer.Exit(1)


@app.command(name="can-i-use")
def can_i_use(
    consumer: Annotated[
        str,
        typer.Argument(
            help="What takes the payloads: NAME[@VERSION] of the history, a schema file, an agreement's FILE[@VERSION]."
        ),
    ],
    producer: Annotated[str, typer.Argument(help="What sends them, named the same way, or as pkg.module:Model.")],
    history: HistoryOption = None,
    reading: ReadingOption = None,
    as_json: AsJson = False,
) -> None:
    """Does CONSUMER take every payload of PRODUCER, as published or agreed? Exits 0: yes, 1: no, with the payload, 3:
    unknown."""
    from graphbus_core.settings import effective
    from graphbus_core.workspace.compares import published
    from graphbus_core.workspace.compares.sources import How

    said = effective(".").over({"contracts.history": history, "contracts.reading": reading})
    how = How("NONE", said["contracts.reading"] or "link")
    verdict, names = published.can_i_use(consumer, producer, said["contracts.history"] or published.HISTORY, how)
    if as_json:
        _json({"producer": names[0], "consumer": names[1], **verdict.to_dict()})
    else:
        _verdict(*names, verdict)
    _exit(verdict.compatible)


def _how(said: Any, maps: Any, dialect: Any, side: str = "output") -> Any:
    """How files are read in this run."""
    from graphbus_core.errors import UsageError
    from graphbus_core.workspace.compares.sources import How

    if side not in ("input", "output"):
        raise UsageError(f"--side is {side!r}; use input or output.")
    reading = said["contracts.reading"] or "strict"
    # Mode NONE here; each command puts in the one that is usual for it.
    return How("NONE", reading, _maps(maps, said), dialect, side, tuple(said["contracts.exclude"]), said.root)


def _one(text: str, side: str, project: str, dialect: str | None, maps: list[str] | None) -> Any:
    """The one schema that an argument of `check` names."""
    from graphbus_core.errors import UsageError
    from graphbus_core.settings import effective
    from graphbus_core.workspace.compares import sources

    settings = effective(project)
    how = sources.How(side=side, dialect=dialect, maps=_maps(maps, settings), root=settings.root)
    found = sources.read(text, how, project)
    for note in found.notes:
        typer.echo(f"graphbus: {note}.", err=True)
    named = "#" in text and len(found.items) == 1  # whoever names a part of a document means that part
    mine = [one for one in found.items.values() if named or (not one.parts and one.side in (None, side))]
    if len(mine) != 1:
        if any(one.parts for one in found.items.values()):
            some = [name for one in found.items.values() for name, part in one.parts.items() if not part.whole][:3]
            raise UsageError(
                f"{text} describes many operations, and `check` wants one contract. Name it: "
                f"{', '.join(repr(f'{text}#{name}') for name in some)}. `diff` compares all."
            )
        raise UsageError(f"{text} holds {len(found.items)} contracts; `check` wants one. `diff` compares many.")
    return mine[0].schema


def _maps(given: list[str] | None, settings: Any = None) -> dict[str, str]:
    from graphbus_core.errors import UsageError

    rows = [*(settings["contracts.map"] if settings is not None else ()), *(given or ())]
    if bad := [row for row in rows if "=" not in row]:
        raise UsageError(f"--map {bad[0]!r} says no file; write URI=FILE.")
    # From the right: a URI holds `=` in its query more often than a path does.
    return dict(row.rpartition("=")[::2] for row in rows)


def _told(told: Any, how: Any, settings: Any, as_json: bool) -> None:
    """Print differences in the format that was asked for, and exit by what counts."""
    from graphbus_core.findings import render
    from graphbus_core.workspace.compares.differences import exit_code, judged

    verdict = judged([one.finding for one in told], settings)
    code = exit_code(verdict.counted)
    if as_json:
        rows = [{**(one.change.to_dict() if one.change else {}), "finding": one.finding.to_dict()} for one in told]
        # JSON has a null for "not decided", so a program need not know our exit codes.
        compatible = {0: True, 1: False, 3: None}[code]
        silenced = {"ignored": len(verdict.ignored), "baseline": len(verdict.kept)}
        _json({"mode": how.mode, "reading": how.reading, "compatible": compatible, "changes": rows, **silenced})
    elif settings["format"] != "text":
        _say(render(verdict, settings["format"]))
    else:
        for one in verdict.counted:
            _line(one)
        if verdict.ignored or verdict.kept:
            _say(f"{len(verdict.ignored)} are ignored, {len(verdict.kept)} are in the baseline.")
        words = {0: "✓ Fits", 1: "✗ Does not fit", 3: "? It was not decided whether this is"}[code]
        _say(f"{words} {how.mode}, read {how.reading}." if told else "No contract changed.")
    if code:
        raise typer.Exit(code)


def _line(one: Any) -> None:
    """A finding in a few lines: what, where, why, instead."""
    import json

    mark = "?" if one.code == "GB304" else "·" if one.level == "note" else "✗"
    place = f"   ({one.place})" if one.file else ""
    # Its place names a file; what is not told by it is the version that it was held against.
    name = one.subject.partition(":")[0]
    shown = f"{name}: " if name not in one.message and ("@" in name or not one.file) else ""
    _say(f"{mark} {shown}{one.message}{place}")
    for reason in one.reasons:
        _say(f"    {reason}")
    if one.has_payload:
        # Five hundred characters show what is wrong. The whole payload is in --json.
        _say(f"    breaks with   {shortened(json.dumps(one.payload, ensure_ascii=False), 500)}")
    if one.fix:
        _say(f"    instead: {one.fix}")


def _verdict(producer: str, consumer: str, verdict: Any) -> None:
    if verdict.compatible:
        _say(f"✓ every payload of {producer} fits {consumer}.")
        return
    if verdict.compatible is None:
        _say(f"? whether {producer} fits {consumer} was not decided.")
    else:
        _say(f"✗ {producer} does not fit {consumer}.")
    import json

    for reason in verdict.reasons:
        _say(f"    {reason.message}")
    if verdict.has_counterexample:
        _say(f"    {producer} may send   {shortened(json.dumps(verdict.counterexample, ensure_ascii=False), 2_000)}")


def _say(text: str) -> None:
    """One line; half a character, which JSON can hold and no encoding can say, is written as its code."""
    # A schema may hold half of a pair. The command must say what it found, and not end in an encoding error.
    typer.echo(text.encode("utf-8", "backslashreplace").decode())


def _json(data: Any) -> None:
    import json

    _say(json.dumps(data, ensure_ascii=False))


def _exit(compatible: bool | None) -> None:
    if compatible is not True:
        raise typer.Exit(3 if compatible is None else 1)
