"""`graphbus contracts`: check one contract against another, list what a change breaks, keep published versions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from graphbus_core.cli.contract_sharing import add_commands
from graphbus_core.cli.options import AsJson, Format, build_setting_option
from graphbus_core.text import shorten

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Check contracts, and what changed in them.")

CHECK_JSON_VERSION = 1  # of what `check --json` prints
SOURCE = (
    "A schema file (JSON Schema, OpenAPI, AsyncAPI), a part of it (FILE#/pointer, 'FILE#GET /orders 200'), a folder, "
    "pkg.module:Name, or Node.method."
)
Project = Annotated[str, typer.Option("--project", help="Where Node.method and pkg.module:Name are looked up.")]
Dialect = Annotated[
    str | None, typer.Option(help="The dialect of files without $schema: draft4, draft6, draft7, 2019-09, 2020-12.")
]
Maps = Annotated[list[str] | None, build_setting_option("contracts.map", "--map")]
ReadingOption = Annotated[str | None, build_setting_option("contracts.reading", "--reading")]
HistoryOption = Annotated[str | None, build_setting_option("contracts.history", "--history")]
Within = Annotated[
    str | None, typer.Option("--root", help="References of a single file may lead anywhere below this folder.")
]
Exclude = Annotated[list[str] | None, build_setting_option("contracts.exclude", "--exclude")]


@app.command("check")
def check(
    producer: Annotated[str, typer.Argument(help=f"{SOURCE} Of a method, its output.")],
    consumer: Annotated[str, typer.Argument(help=f"{SOURCE} Of a method, its input.")],
    project: Project = ".",
    dialect: Dialect = None,
    maps: Maps = None,
    within: Within = None,
    formats: Annotated[bool, typer.Option("--formats", help="Count `format` as a constraint.")] = False,
    as_json: AsJson = False,
) -> None:
    """Does every payload of PRODUCER fit CONSUMER? Exits 0: yes, 1: no, with a payload that proves it, 3: unknown.

    Two methods are read as a link (the producer sends what it declares, the consumer ignores what it does not
    declare); files keep the semantics of JSON Schema.
    """
    from graphbus_core.services.contract_diff import check as decide

    sides = [
        _read_one_schema(text, side, project, dialect, maps, within)
        for text, side in ((producer, "output"), (consumer, "input"))
    ]
    verdict = decide(sides[0], sides[1], dialect=dialect, formats=True if formats else None)
    notes = list(_note_formats(sides, verdict, dialect)) if not formats else []
    if as_json:
        _print_json({"version": CHECK_JSON_VERSION, **verdict.to_dict(), "notes": notes})
    else:
        _print_verdict(producer, consumer, verdict)
        for note in notes:
            _print_line(f"    {note}")
    _exit(verdict.compatible)


def _note_formats(sides: Any, verdict: Any, dialect: str | None) -> Iterator[str]:
    """That two schemas fit as JSON Schema says, and would not where a `format` is a promise."""
    from graphbus_core.services.contract_diff import Contract, check as decide

    if verdict.compatible is not True or any(isinstance(side, Contract) for side in sides):
        return
    counted = decide(sides[0], sides[1], dialect=dialect, formats=True)
    if counted.compatible is not True and counted.reasons:
        yield f"By --formats, as agree and can-i-use read them, it does not fit: {counted.reasons[0].message}."


@app.command("diff")
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
    within: Within = None,
    exclude: Exclude = None,
    baseline: Annotated[str | None, build_setting_option("contracts.baseline")] = None,
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
    from graphbus_core.services.contract_diff.differences import update_baseline
    from graphbus_core.services.contract_diff.versions import CompareRequest, compare_versions
    from graphbus_core.settings import load_settings

    settings = load_settings(".").merge_flags(
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
        history = settings["contracts.history"]
    if sum(x is not None for x in (new, against, history)) != 1:
        raise UsageError("graphbus contracts diff wants two versions: OLD NEW, PATH --against git:REF, or --history.")
    compare_request = CompareRequest(
        old, new, against, history, settings["contracts.mode"], settings["contracts.reading"], project
    )
    how = _build_options(settings, maps, dialect, side, within)
    comparison = compare_versions(compare_request, how)
    for note in comparison.notes:
        typer.echo(f"graphbus: {note}.", err=True)
    # Before it is judged: what is written down today is everything that breaks.
    if write_baseline:
        file, more = update_baseline([difference.finding for difference in comparison.told], settings)
        _print_line(f"{file} keeps what breaks today; {more} are new in it.")
        return
    _print_differences(comparison.told, comparison.how, settings, as_json or settings["format"] == "json")


@app.command("changes")
def changes(
    old: Annotated[str, typer.Argument(help=SOURCE)],
    new: Annotated[str, typer.Argument(help=SOURCE)],
    reading: ReadingOption = None,
    project: Project = ".",
    dialect: Dialect = None,
    maps: Maps = None,
    within: Within = None,
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
        within=within,
        exclude=exclude,
        form=form,
        as_json=as_json,
    )


@app.command("publish")
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

    from graphbus_core.services.contract_diff import sources, versions
    from graphbus_core.services.contract_diff.versions import normalize_mode
    from graphbus_core.settings import load_settings

    settings = load_settings(".").merge_flags(
        {"contracts.history": history, "contracts.mode": mode, "contracts.exclude": exclude}
    )
    how = replace(_build_options(settings, maps, dialect), mode=normalize_mode(settings["contracts.mode"], "NONE"))
    how = sources.choose_reading(how, sources.read_source(folder, how).items.values(), settings["contracts.reading"])
    published_labels, refused = versions.publish(folder, settings["contracts.history"] or versions.HISTORY, how)
    if as_json:
        _print_json({"published": published_labels, "refused": [f.to_dict() for f in refused]})
    else:
        for name in published_labels:
            _print_line(f"✓ {name}")
        for finding in refused:
            _print_finding(finding)
        if not published_labels and not refused:
            _print_line("Nothing changed since the newest versions.")
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
    from graphbus_core.services.contract_diff import versions
    from graphbus_core.services.contract_diff.sources import CompareOptions
    from graphbus_core.settings import load_settings

    settings = load_settings(".").merge_flags({"contracts.history": history, "contracts.reading": reading})
    how = CompareOptions("NONE", settings["contracts.reading"] or "link")
    verdict, names = versions.can_i_use(consumer, producer, settings["contracts.history"] or versions.HISTORY, how)
    if as_json:
        _print_json({"producer": names[0], "consumer": names[1], **verdict.to_dict()})
    else:
        _print_verdict(*names, verdict)
    _exit(verdict.compatible)


add_commands(app)


def _build_options(settings: Any, maps: Any, dialect: Any, side: str = "output", within: str | None = None) -> Any:
    """How files are read in this run."""
    from graphbus_core.errors import UsageError
    from graphbus_core.services.contract_diff.sources import CompareOptions

    if side not in ("input", "output"):
        raise UsageError(f"--side is {side!r}; use input or output.")
    reading = settings["contracts.reading"] or "strict"
    # Mode NONE here; each command puts in the one that is usual for it.
    excluded = tuple(settings["contracts.exclude"])
    return CompareOptions(
        "NONE", reading, _parse_maps(maps, settings), dialect, side, excluded, settings.root, _find_root(within)
    )


def _find_root(within: str | None) -> Any:
    """The folder that `--root` names. Raises UsageError."""
    from pathlib import Path

    from graphbus_core.errors import UsageError

    if within is not None and not Path(within).is_dir():
        raise UsageError(f"--root {within} is not a folder; give one that holds the file and what it refers to.")
    return Path(within) if within is not None else None


def _read_one_schema(
    text: str, side: str, project: str, dialect: str | None, maps: list[str] | None, within: str | None
) -> Any:
    """The one schema that an argument of `check` names."""
    from graphbus_core.errors import UsageError
    from graphbus_core.services.contract_diff import sources
    from graphbus_core.settings import load_settings

    settings = load_settings(project)
    how = sources.CompareOptions(
        side=side,
        dialect=dialect,
        maps=_parse_maps(maps, settings),
        root=settings.root,
        within=_find_root(within),
    )
    contracts = sources.read_source(text, how, project)
    for note in contracts.notes:
        typer.echo(f"graphbus: {note}.", err=True)
    names_part = "#" in text and len(contracts.items) == 1  # whoever names a part of a document means that part
    mine = [item for item in contracts.items.values() if names_part or (not item.parts and item.side in (None, side))]
    if len(mine) != 1:
        if any(item.parts for item in contracts.items.values()):
            some = [
                name
                for item in contracts.items.values()
                for name, part in item.parts.items()
                if part.schema not in (True, {})
            ][:3]
            raise UsageError(
                f"{text} describes many operations, and `check` wants one contract. Name it: "
                f"{', '.join(repr(f'{text}#{name}') for name in some)}. `diff` compares all."
            )
        raise UsageError(f"{text} holds {len(contracts.items)} contracts; `check` wants one. `diff` compares many.")
    return mine[0].schema


def _parse_maps(flag_rows: list[str] | None, settings: Any = None) -> dict[str, str]:
    from graphbus_core.errors import UsageError

    rows = [*(settings["contracts.map"] if settings is not None else ()), *(flag_rows or ())]
    if bad := [row for row in rows if "=" not in row]:
        raise UsageError(f"--map {bad[0]!r} says no file; write URI=FILE.")
    # From the right: a URI holds `=` in its query more often than a path does.
    return dict(row.rpartition("=")[::2] for row in rows)


def _print_differences(differences: Any, how: Any, settings: Any, as_json: bool) -> None:
    """Print differences in the format that was asked for, and exit by what counts."""
    from graphbus_core.findings import render
    from graphbus_core.services.contract_diff.differences import JSON_VERSION, compute_exit_code, judge_differences

    verdict = judge_differences([entry.finding for entry in differences], settings)
    code = compute_exit_code(verdict.counted)
    if as_json:
        rows = [entry.to_dict() for entry in differences]
        # JSON has a null for "not decided", so a program need not know our exit codes.
        compatible = {0: True, 1: False, 3: None}[code]
        silenced = {"ignored": len(verdict.ignored), "baseline": len(verdict.kept)}
        counted = [finding.to_dict() for finding in verdict.counted]
        head = {"version": JSON_VERSION, "mode": how.mode, "reading": how.reading, "compatible": compatible}
        _print_json({**head, "changes": rows, "findings": counted, **silenced})
    elif settings["format"] != "text":
        _print_line(render(verdict, settings["format"]))
    else:
        for entry in verdict.counted:
            _print_finding(entry)
        if verdict.ignored or verdict.kept:
            _print_line(f"{len(verdict.ignored)} are ignored, {len(verdict.kept)} are in the baseline.")
        words = {0: "✓ Fits", 1: "✗ Does not fit", 3: "? It was not decided whether this is"}[code]
        _print_line(f"{words} {how.mode}, read {how.reading}." if differences else "No contract changed.")
    if code:
        raise typer.Exit(code)


def _print_finding(finding: Any) -> None:
    """A finding in a few lines: what, where, why, instead."""
    import json

    mark = "?" if finding.code == "GB304" else "·" if finding.level == "note" else "✗"
    place = f"   ({finding.place})" if finding.file else ""
    # Its place names a file; what is not told by it is the version that it was held against.
    name = finding.subject.partition(":")[0]
    prefix = f"{name}: " if name not in finding.message and ("@" in name or not finding.file) else ""
    harmless = ", which breaks nobody" if finding.level == "note" else ""
    _print_line(f"{mark} {finding.code} {prefix}{finding.message}{harmless}{place}")
    for reason in finding.reasons:
        _print_line(f"    {reason}")
    if finding.has_payload:
        # Five hundred characters show what is wrong. The whole payload is in --json.
        _print_line(f"    breaks with   {shorten(json.dumps(finding.payload, ensure_ascii=False), 500)}")
    if finding.fix:
        _print_line(f"    instead: {finding.fix}")


def _print_verdict(producer: str, consumer: str, verdict: Any) -> None:
    if verdict.compatible:
        _print_line(f"✓ every payload of {producer} fits {consumer}.")
        return
    if verdict.compatible is None:
        _print_line(f"? whether {producer} fits {consumer} was not decided.")
    else:
        _print_line(f"✗ {producer} does not fit {consumer}.")
    import json

    for reason in verdict.reasons:
        _print_line(f"    {reason.message}")
    if verdict.has_counterexample:
        _print_line(
            f"    {producer} may send   {shorten(json.dumps(verdict.counterexample, ensure_ascii=False), 2_000)}"
        )


def _print_line(text: str) -> None:
    """One line; half a character, which JSON can hold and no encoding can say, is written as its code."""
    # A schema may hold half of a pair. The command must say what it found, and not end in an encoding error.
    typer.echo(text.encode("utf-8", "backslashreplace").decode())


def _print_json(data: Any) -> None:
    import json

    _print_line(json.dumps(data, ensure_ascii=False))


def _exit(compatible: bool | None) -> None:
    if compatible is not True:
        raise typer.Exit(3 if compatible is None else 1)
