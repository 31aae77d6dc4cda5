"""`graphbus infer`: who gives what to whom in any Python project, and what cannot fit. It changes and runs nothing."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from graphbus_core.cli import options
from graphbus_core.text import escape_text, format_count

if TYPE_CHECKING:
    from graphbus_core.services.inference import InferredProject, Observation, RefinedContracts, SourceDecoration

# `graphbus infer --diff` and `graphbus init --decorators`: the source diff, and the files with it on request.


STATE = ".graphbus"


def show_source_diff(inferred: InferredProject, as_json: bool) -> None:
    """The diff alone."""
    from graphbus_core.services.inference import decorate_sources

    _print_source_diff(decorate_sources(inferred), "", inferred.root, as_json)


def init_decorators(path: str, write: bool, as_json: bool) -> None:
    """The diff first; then the files, where that was asked for. Raises UsageError where one was edited meanwhile."""
    from graphbus_core.services.inference import decorate_sources, infer, land

    inferred = infer(path, links=False)
    source_changes = decorate_sources(inferred)
    pid = land(source_changes, inferred.root, inferred.root / STATE) if write and source_changes.after else ""
    _print_source_diff(source_changes, pid, inferred.root, as_json)


def _print_source_diff(source_changes: SourceDecoration, pid: str, root: Path, as_json: bool) -> None:
    if as_json:
        numbers = {
            "components": source_changes.components,
            "records": source_changes.records,
            "left": list(source_changes.left),
        }
        report: dict[str, object] = {
            "diff": source_changes.diff,
            "files": sorted(source_changes.after),
            "written": bool(pid),
            "undo": pid or None,
            **numbers,
        }
        typer.echo(json.dumps(report, ensure_ascii=False))
        return
    if source_changes.diff:
        typer.echo(escape_text(source_changes.diff.rstrip("\n")))
    for left_reason in source_changes.left:
        typer.echo(escape_text(f"left alone: {left_reason}"))
    if not source_changes.diff:
        typer.echo("Nothing to write: no component without `@contract` has a hint or certain keys.")
    elif pid:
        place = "" if Path.cwd() == root else f" -o {os.path.relpath(root / STATE)}"
        typer.echo(
            f"Written to {format_count(len(source_changes.after), 'file')}. `graphbus undo {pid}{place}` takes it back."
        )
        typer.echo("The code now imports graphbus_core: add it to the dependencies. Next: `graphbus validate`.")
    else:
        counts_text = ", ".join(
            (
                format_count(source_changes.components, "component"),
                format_count(source_changes.records, "record"),
                format_count(len(source_changes.after), "file"),
            )
        )
        typer.echo(f"{counts_text}. Nothing was changed. `graphbus init --decorators --write` writes it.")


app = typer.Typer(add_completion=False)

FEW_COMPONENTS, FEW_METHODS, FEW_LINKS = 12, 6, 15


@app.command()
def infer(
    path: Annotated[str, typer.Argument(help="Any Python project.")] = ".",
    every: Annotated[bool, typer.Option("--all", help="Every component and link, not the first few.")] = False,
    include: options.Include = None,
    exclude: options.Exclude = None,
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
    from graphbus_core.services.inference import infer as read
    from graphbus_core.settings import load_settings

    _check_options(path, root, contracts=contracts, write=write, values=values, from_tests=from_tests)
    settings = load_settings(path).merge_flags({"include": include, "exclude": exclude, "format": form})
    inferred = read(
        path, root=root, links=not (contracts or diff), among=settings.file_globs, types=not (contracts or diff)
    )
    if not inferred.files:
        raise UsageError(f"{inferred.root} holds no Python file (tests aside). Give the folder of a Python project.")
    words: list[str] = []
    more: dict[str, Any] = {}
    if from_tests is not None:
        inferred, words, more = observe_tests(inferred, from_tests, values)
    if diff:
        show_source_diff(inferred, as_json)
    elif contracts:
        _print_contracts_diff(inferred, settings, write, as_json)
    else:
        _print_inferred(inferred, settings, every, as_json, words, more)


def _check_options(
    path: str, root: str | None, *, contracts: bool, write: bool, values: bool, from_tests: str | None
) -> None:
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


def _print_inferred(
    inferred: Any, settings: Any, every: bool, as_json: bool, words: list[str], more: dict[str, Any]
) -> None:
    """Print what was read, in the form that was asked for; exit 1 where something sure cannot fit."""
    import json

    from graphbus_core.findings import render
    from graphbus_core.services.inference.findings import judge_inferred
    from graphbus_core.text import escape_text

    judged = judge_inferred(inferred, settings)
    if as_json:
        report = {
            **inferred.to_dict(),
            "ok": not judged.fails,
            "findings": [finding.to_dict() for finding in judged.counted],
        }
        typer.echo(json.dumps(report | more, ensure_ascii=False))
    elif settings["format"] == "text":
        typer.echo(escape_text(render_inferred(inferred, judged, every, words)))
    else:
        typer.echo(render(judged, settings["format"]))
    if judged.fails:
        raise typer.Exit(1)


def _print_contracts_diff(inferred: Any, settings: Any, write: bool, as_json: bool) -> None:
    """What `contracts.toml` has and would get, as a diff; written where that was asked for."""
    import json
    from difflib import unified_diff

    from graphbus_core.services.inference.findings import propose_contracts_file
    from graphbus_core.text import escape_text

    proposal = propose_contracts_file(inferred, settings)
    name = proposal.path.name
    diff = "".join(unified_diff(proposal.old.splitlines(True), proposal.new.splitlines(True), f"a/{name}", f"b/{name}"))
    if write:
        proposal.write()
    if as_json:
        report = {
            "file": str(proposal.path),
            "written": write and bool(diff),
            "entries": proposal.entries,
            "diff": diff,
        }
        typer.echo(json.dumps(report, ensure_ascii=False))
        return
    if not diff:
        typer.echo(
            f"{proposal.path} has all of it already." if proposal.old else "Nothing is sure enough to be written."
        )
        return
    typer.echo(escape_text(diff))
    typer.echo(
        f"Written to {proposal.path}. Next: `graphbus validate {proposal.path.parent}`."
        if write
        else "Nothing was changed. `graphbus infer --contracts --write` writes it."
    )


def render_inferred(inferred: Any, judged: Any, every: bool, more_blocks: Sequence[str] = ()) -> str:
    """What a person reads: what there is, who feeds whom, and last, where the eye ends, what does not fit."""
    from graphbus_core.findings.rendering import render_text as findings_text

    blocks = [
        "\n".join(_render_component(item, every))
        for item in (inferred.components if every else _pick_largest(inferred.components))
    ]
    if not every and len(inferred.components) > FEW_COMPONENTS:
        blocks.append(f"… and {len(inferred.components) - FEW_COMPONENTS} more components (--all shows them).")
    if inferred.links:
        lines = [
            f"{link.producer} => {link.consumer}    {_render_kind(link)}({', '.join(link.places[:3])})"
            for link in inferred.links
        ]
        shown_links = lines if every else lines[:FEW_LINKS]
        more = [f"… and {len(lines) - len(shown_links)} more"] if len(lines) > len(shown_links) else []
        blocks.append("\n".join(["Links", *(f"  {line}" for line in [*shown_links, *more])]))
    if judged.counted or judged.ignored or judged.kept:
        blocks.append(findings_text(judged))
    if not inferred.has_checked_types:
        blocks.append(
            f"types: not run {inferred.types}. Arguments, attributes and `X | None` were checked only as far as they "
            "are read here. `pip install 'graphbus-core[types]'` adds a type checker."
        )
    blocks += [f"not read: {item}" for item in inferred.left_out]
    if coverage := _render_framework_coverage(inferred):
        blocks.append(coverage)
    return "\n\n".join([*blocks, *more_blocks, _render_counts(inferred, judged)])


def _render_kind(link: Any) -> str:
    return f"{' '.join(word for word in (link.kind, link.carries) if word)} " if link.kind else ""


def _render_framework_coverage(inferred: Any) -> str:
    """How much of what frameworks hand over was read, and what was not, by kind; empty where there is none."""
    from collections import Counter

    read = len({(link.kind, link.places[0]) for link in inferred.links if link.kind})
    if not read and not inferred.unread:
        return ""
    text = f"Handed over by frameworks: {read} of about {read + len(inferred.unread)} places read"
    kinds = Counter(item.kind for item in inferred.unread).most_common()
    first = {kind: next(item.place for item in inferred.unread if item.kind == kind) for kind, _ in kinds}
    left = ", ".join(f"{number} × {kind} ({first[kind]})" for kind, number in kinds)
    return f"{text}; not read: {left}." if left else f"{text}."


def _pick_largest(components: Any) -> Any:
    """Those with the most methods, in the order of the files."""
    largest = sorted(components, key=lambda component: -len(component.methods))[:FEW_COMPONENTS]
    return [component for component in components if component in largest]


def _render_component(component: Any, every: bool) -> list[str]:
    lines = [f"{component.name}    ({component.file}:{component.line})"]
    shown_methods = component.methods if every else component.methods[:FEW_METHODS]
    lines += [f"  {method.level.word:<8}  {method}{_render_sources(method)}" for method in shown_methods]
    if len(component.methods) > len(shown_methods):
        lines.append(f"  … and {len(component.methods) - len(shown_methods)} more")
    return lines


def _render_sources(method: Any) -> str:
    """Where a contract comes from; nothing where nobody says anything."""
    return f"    from {', '.join(method.sources)}" if method.sources else ""


def _render_counts(inferred: Any, judged: Any) -> str:
    from graphbus_core.text import format_count

    levels = ", ".join(f"{number} {level.word}" for level, number in sorted(inferred.levels.items(), reverse=True))
    errors = sum(finding.level.value == "error" for finding in judged.counted)
    fits = "Nothing was found that cannot fit." if not errors else f"{errors} that cannot fit."
    return (
        f"{format_count(len(inferred.components), 'component')} in {format_count(inferred.files, 'file')}, "
        f"{format_count(len(inferred.links), 'link')}. "
        f"Contracts: {levels or 'none'}. {fits}"
    )


# `graphbus infer --from-tests`: the tests run in the sandbox while a line says so, and Ctrl-C ends them.


TICK_S = 0.2
Result = TypeVar("Result")


def observe_tests(
    inferred: InferredProject, command: str, values: bool
) -> tuple[InferredProject, list[str], dict[str, Any]]:
    """What was inferred, sharpened; what to say of it, in words and as JSON.

    Raises UsageError; KeyboardInterrupt once the tests have ended.
    """
    from graphbus_core.services.inference import observe, refine_contracts

    observation = run_with_progress(lambda stop: observe(inferred.root, command, values=values, stop=stop), command)
    refined = refine_contracts(inferred, observation)
    return (
        refined.inferred,
        _render_observed(observation, refined),
        {"tests": {**observation.to_dict(), "otherwise": list(refined.otherwise)}},
    )


def run_with_progress(run: Callable[[threading.Event], Result], command: str) -> Result:
    """Run it beside a line on stderr that counts the seconds. On Ctrl-C the sandbox is ended first."""
    stop = threading.Event()
    ended: list[Result | BaseException] = []

    def work() -> None:
        try:
            ended.append(run(stop))
        except BaseException as e:  # told in the thread that waits
            ended.append(e)

    begun = time.monotonic()
    print(f"Running `{command}` in the sandbox, on a copy. Ctrl-C ends it.", file=sys.stderr, flush=True)
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(TICK_S)
            if sys.stderr.isatty():
                print(f"\r{time.monotonic() - begun:.0f} s ", end="", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        stop.set()
        thread.join(30)
        raise
    finally:
        if sys.stderr.isatty():
            print("\r", end="", file=sys.stderr)
    if isinstance(ended[0], BaseException):
        raise ended[0]
    return ended[0]


def _render_observed(observation: Observation, refined: RefinedContracts) -> list[str]:
    """What a person reads of it: how the tests ended, what they sharpened, and where they saw something else."""
    lines = [
        f"`{observation.command}` in the sandbox: {observation.ended}",
        (
            f"  {format_count(refined.methods, 'method', 'was', 'were')} called; "
            f"{format_count(refined.parts, 'part')} of contracts became likely, from the tests."
        ),
        "  They are proposals: what tests send is not all that may be sent.",
        *(f"  {note}" for note in refined.otherwise),
    ]
    return ["\n".join(lines)]
