"""`graphbus validate`: every contract link of a project, and a payload for each that does not fit."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from graphbus_core.cli import options
from graphbus_core.text import escape_text, format_count, join_few

app = typer.Typer(add_completion=False)

LINK_CODES = ("GB101", "GB102")  # shown with both ends and what one of them may send

FOUND_BY = {
    "method": "@depends_on on the method",
    "topic": "publish and subscribe",
    "call": "a call",
    "class": "@depends_on on the class",
}


@app.command()
def validate(
    path: Annotated[str | None, typer.Argument(help="The folder of the agents, or a dotted package.")] = None,
    include: options.Include = None,
    exclude: options.Exclude = None,
    form: options.Format = None,
    baseline: options.Baseline = None,
    root: options.Root = None,
    against: Annotated[
        str | None, typer.Option(help="git:REF, or a folder: only what changes since then broke.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Check every contract link of a project. Exits 1 where one does not fit, with a payload that proves it.

    With `--against git:main`: which changes of this branch break whom. One without agents is read as by `infer`.
    """
    from graphbus_core.cli.build.plain import find_single_process_nodes
    from graphbus_core.errors import UsageError
    from graphbus_core.findings import FORMATS, render
    from graphbus_core.services.validation import check_project, judge_checked
    from graphbus_core.settings import load_settings

    settings = load_settings(path or ".").merge_flags(
        {"include": include, "exclude": exclude, "format": form, "baseline": baseline}
    )
    path, settings = settings.resolve_start(path)
    if path is None:
        raise UsageError("Which folder? Give it, or set `roots` in [tool.graphbus]. `graphbus infer .` needs neither.")
    if against is not None:
        raise typer.Exit(_check_against(path, against, settings, root, as_json))
    checked_project = check_project(path, list(settings["include"]) or None, list(settings["exclude"]) or None, root)
    if checked_project.warning is not None:
        typer.echo(f"graphbus: {checked_project.warning}", err=True)
    project, linked, disagreements = checked_project.project, checked_project.linked, checked_project.disagreements
    verdict = judge_checked(checked_project, settings)
    if as_json:
        import json

        report = {"path": path, "ok": not verdict.fails, "agents": [a.name for a in project.agents]}
        lint = [entry.to_dict() for entry in disagreements]
        counted = [entry.to_dict() for entry in verdict.counted]
        silenced = {"ignored": len(verdict.ignored), "baseline": len(verdict.kept)}
        alone = {name: placement.why for name, placement in find_single_process_nodes(project.agents).items()}
        report |= {**linked.to_dict(), "lint": lint, "findings": counted, **silenced, "one_place": alone}
        typer.echo(json.dumps(report, ensure_ascii=False))
    elif settings["format"] == "text":
        typer.echo(escape_text(render_validation(project, linked, verdict)))
    else:
        assert settings["format"] in FORMATS
        typer.echo(render(verdict, settings["format"]))
    if verdict.fails:
        raise typer.Exit(1)


def _check_against(path: str, against: str, settings: Any, root: str | None, as_json: bool) -> int:
    """Print what came since a revision; 1 where an error came."""
    import json

    from graphbus_core.findings import render
    from graphbus_core.services.contract_diff.branch import compare_branch

    comparison = compare_branch(path, against, settings, root)
    gone = [finding.to_dict() for finding in comparison.gone]
    if as_json:
        came = [finding.to_dict() for finding in comparison.came.counted]
        numbers = {"stayed": comparison.stayed, "changed": comparison.changed}
        typer.echo(
            json.dumps(
                {
                    "path": path,
                    "against": against,
                    "ok": not comparison.came.fails,
                    "findings": came,
                    "gone": gone,
                    **numbers,
                },
                ensure_ascii=False,
            )
        )
    elif settings["format"] != "text":
        typer.echo(render(comparison.came, settings["format"]))
    else:
        from graphbus_core.findings.rendering import render_finding

        blocks = [render_finding(finding) for finding in comparison.came.counted]
        blocks += [f"✓ gone: {finding.code} {finding.message}" for finding in comparison.gone]
        many = len(comparison.came.counted)
        blocks.append(
            f"Since {against.removeprefix('git:')}: {format_count(comparison.changed, 'contract')} changed; "
            f"{format_count(many, 'finding')} came, {len(gone)} gone, {comparison.stayed} there before."
        )
        typer.echo(escape_text("\n\n".join(blocks)))
    return 1 if comparison.came.fails else 0


def render_validation(project: Any, linked: Any, report: Any) -> str:
    """What a person reads: every finding that counts, as all formats have them, and then what no check reached."""
    from graphbus_core.cli.build.plain import find_single_process_nodes, render_single_process_nodes
    from graphbus_core.findings.rendering import render_finding

    mismatches = {mismatch.link.id: mismatch for mismatch in linked.mismatches}
    blocks = []
    for finding in report.counted:
        mismatch = mismatches.get(finding.subject) if finding.code in LINK_CODES else None
        blocks.append(render_finding(finding) if mismatch is None else _render_mismatch(project, mismatch, finding))
    blocks += [_render_guess(mismatch) for mismatch in linked.guesses]
    outside = [f"? {reference}" for reference in linked.dangling if not reference.is_method]
    if notes := [*outside, *_list_left_out(linked)]:
        blocks.append("\n".join(notes))
    if alone := find_single_process_nodes(project.agents):
        blocks.append(render_single_process_nodes(alone, len(project.agents)))
    blocks.append(f"{format_count(len(project.agents), 'agent')}. {_render_verdict(linked, report)}")
    return "\n\n".join(blocks)


def _list_left_out(linked: Any) -> list[str]:
    """What no check reached, and why, in a line each."""
    guessed = [data_link.id for data_link in linked.links if data_link.guessed]
    fitting: list[str] = []
    if len(guessed) > len(linked.guesses):
        fitting = [name for name in guessed if name not in {m.link.id for m in linked.guesses}]
    omissions = {
        "without a contract, and so out of the checks": linked.undeclared,
        "links with an undeclared side": [data_link.id for data_link in linked.unchecked],
        "fed by their own code, which calls": [data_link.id for data_link in linked.links if data_link.own],
        "only guessed, and fitting": fitting,
    }
    return [f"· {what}: {join_few(names, 8)}" for what, names in omissions.items() if names]


def _render_verdict(linked: Any, report: Any) -> str:
    """The links in a sentence, then every finding in numbers: the same as in each other format."""
    from graphbus_core.findings.rendering import render_summary

    unchecked = {data_link.id for data_link in linked.unchecked}
    checked = sum(not (data_link.own or data_link.guessed or data_link.id in unchecked) for data_link in linked.links)
    links = {0: "There is no link to check.", 1: "The one checked link fits."}.get(
        checked, f"All {checked} checked links fit."
    )
    if linked.mismatches:
        undecided = sum(mismatch.compatible is None for mismatch in linked.mismatches)
        unsure = f", {undecided} undecided" if undecided else ""
        links = f"{len(linked.mismatches) - undecided} of {checked} checked links do not fit{unsure}."
    silenced = report.ignored or report.kept
    return f"{links} {render_summary(report)}" if report.counted or silenced else links


def _render_mismatch(project: Any, mismatch: Any, finding: Any) -> str:
    import json

    from graphbus_core.findings.rendering import SIGN
    from graphbus_core.services.queries.project import describe_place

    link = mismatch.link
    producer, consumer = _render_producer(project, link), str(link.consumer)
    head = f"{SIGN[finding.level]} {finding.code} {producer}  =>  {consumer}"
    lines = [f"{head}    (linked by {FOUND_BY[link.origin.value]})"]
    lines += [f"    {reason}" for reason in mismatch.reasons]
    if mismatch.counterexample is not None:
        payload = json.dumps(mismatch.counterexample, ensure_ascii=False)
        lines.append(f"    {producer} may send   {payload}")
        lines.append(f"    and {consumer} rejects it.")
    elif mismatch.compatible is None:
        lines.append("    Whether it fits could not be decided; that counts as a no.")
    ends = ((link.producer, "output"), (link.consumer, "input"))
    lines.append("    " + ", ".join(describe_place(project.find_agent(end.node), end, side) for end, side in ends))
    if link.evidence:
        lines.append(f"    {'; '.join(link.evidence)}")
    return "\n".join(lines)


def _render_guess(mismatch: Any) -> str:
    """A pairing that would not fit, if it is meant at all."""
    link = mismatch.link
    lines = [f"? {link.producer}  =>  {link.consumer}    (only guessed, from @depends_on on the class: no finding)"]
    lines += [f"    {reason}" for reason in mismatch.reasons]
    line = f'@depends_on("{link.producer}") on {link.consumer}'
    lines.append(f"    If this is meant, write {line}; then it is checked.")
    return "\n".join(lines)


def _render_producer(project: Any, link: Any) -> str:
    if link.producer.topic is None:
        return str(link.producer)
    agent = project.find_agent(link.producer.node)
    methods = [p.method for p in agent.publications if p.topic.name == link.producer.topic and p.method]
    return f"{link.producer.node}{'.' + methods[0] if methods else ''} -> {link.producer.topic}"
