"""`graphbus validate`: every contract link of a project, and a payload for each that does not fit."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from graphbus_core.cli import options
from graphbus_core.shown import counted, few, shown

app = typer.Typer(add_completion=False)

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
    from graphbus_core.errors import UsageError
    from graphbus_core.findings import FORMATS, render
    from graphbus_core.settings import effective
    from graphbus_core.workspace.shows.declared import checked, judged

    settings = effective(path or ".").over(
        {"include": include, "exclude": exclude, "format": form, "baseline": baseline}
    )
    path, settings = settings.start(path)
    if path is None:
        raise UsageError("Which folder? Give it, or set `roots` in [tool.graphbus]. `graphbus infer .` needs neither.")
    if against is not None:
        raise typer.Exit(_against(path, against, settings, root, as_json))
    found = checked(path, list(settings["include"]) or None, list(settings["exclude"]) or None, root)
    if found.warning is not None:
        typer.echo(f"graphbus: {found.warning}", err=True)
    project, linked, disagreements = found.project, found.linked, found.disagreements
    verdict = judged(found, settings)
    if as_json:
        import json

        told = {"path": path, "ok": not verdict.fails, "agents": [a.name for a in project.agents]}
        lint = [one.to_dict() for one in disagreements]
        counted = [one.to_dict() for one in verdict.counted]
        silenced = {"ignored": len(verdict.ignored), "baseline": len(verdict.kept)}
        told |= {**linked.to_dict(), "lint": lint, "findings": counted, **silenced}
        typer.echo(json.dumps(told, ensure_ascii=False))
    elif settings["format"] == "text":
        typer.echo(shown(text(project, linked, disagreements, verdict)))
    else:
        assert settings["format"] in FORMATS
        typer.echo(render(verdict, settings["format"]))
    if verdict.fails:
        raise typer.Exit(1)


def _against(path: str, against: str, settings: Any, root: str | None, as_json: bool) -> int:
    """Print what came since a revision; 1 where an error came."""
    import json

    from graphbus_core.findings import render
    from graphbus_core.workspace.compares.branch import branch

    told = branch(path, against, settings, root)
    gone = [one.to_dict() for one in told.gone]
    if as_json:
        came = [one.to_dict() for one in told.came.counted]
        numbers = {"stayed": told.stayed, "changed": told.changed}
        typer.echo(
            json.dumps(
                {
                    "path": path,
                    "against": against,
                    "ok": not told.came.fails,
                    "findings": came,
                    "gone": gone,
                    **numbers,
                },
                ensure_ascii=False,
            )
        )
    elif settings["format"] != "text":
        typer.echo(render(told.came, settings["format"]))
    else:
        from graphbus_core.findings.render.words import finding_text

        blocks = [finding_text(one) for one in told.came.counted]
        blocks += [f"✓ gone: {one.code} {one.message}" for one in told.gone]
        many = len(told.came.counted)
        blocks.append(
            f"Since {against.removeprefix('git:')}: {counted(told.changed, 'contract')} changed; "
            f"{counted(many, 'finding')} came, {len(gone)} gone, {told.stayed} there before."
        )
        typer.echo(shown("\n\n".join(blocks)))
    return 1 if told.came.fails else 0


def text(project: Any, linked: Any, disagreements: Any = (), judged: Any = None) -> str:
    """What a person reads; what is ignored or in the baseline is left out and counted."""
    silent = {one.subject for one in (*(f for f, _ in judged.ignored), *judged.kept)} if judged is not None else set()
    blocks = [_mismatch(project, mismatch) for mismatch in linked.mismatches if mismatch.link.id not in silent]
    blocks += [f"✗ {one}" for one in linked.dangling if one.is_method]
    blocks += [f"✗ {one} It is treated as undeclared." for one in linked.unreadable]
    blocks += [_guess(mismatch) for mismatch in linked.guesses]
    notes = [*_unclear(linked), *(f"! {one.message}{_fix(one)}" for one in disagreements), *_left_out(linked)]
    verdict = _verdict(linked)
    if judged is not None:
        blocks += [f"✗ {one.place}: {one.message}." for one in judged.counted if one.code == "GB106"]
        notes += [f"? {one.place}: {one.message}." for one in judged.counted if one.code in ("GB107", "GB108")]
        notes += [f"! {one.place}: {one.code} {one.message}" for one in judged.counted if one.code.startswith("GB9")]
    if silent:
        verdict += f" {len(judged.ignored)} findings are ignored, {len(judged.kept)} are in the baseline."
    said = ["\n".join(notes)] if notes else []
    return "\n\n".join([*blocks, *said, f"{counted(len(project.agents), 'agent')}. {verdict}"])


def _unclear(linked: Any) -> list[str]:
    """What cannot be told from the code."""
    return [f"? {one}" for one in linked.ambiguous] + [f"? {one}" for one in linked.dangling if not one.is_method]


def _left_out(linked: Any) -> list[str]:
    """What no check reached, and why, in a line each."""
    guessed = [one.id for one in linked.links if one.guessed]
    fitting: list[str] = []
    if len(guessed) > len(linked.guesses):
        fitting = [name for name in guessed if name not in {m.link.id for m in linked.guesses}]
    told = {
        "without a contract, and so out of the checks": linked.undeclared,
        "links with an undeclared side": [one.id for one in linked.unchecked],
        "fed by their own code, which calls": [one.id for one in linked.links if one.own],
        "only guessed, and fitting": fitting,
    }
    return [f"· {what}: {few(names, 8)}" for what, names in told.items() if names]


def _verdict(linked: Any) -> str:
    unchecked = {one.id for one in linked.unchecked}
    checked = sum(not (one.own or one.guessed or one.id in unchecked) for one in linked.links)
    if linked.mismatches:
        return f"{len(linked.mismatches)} of {checked} checked links do not fit."
    return {0: "There is no link to check.", 1: "The one checked link fits."}.get(
        checked, f"All {checked} checked links fit."
    )


def _fix(finding: Any) -> str:
    fix = finding.fix
    return f" Fix: {fix.op} {fix.address}" if fix else ""


def _mismatch(project: Any, mismatch: Any) -> str:
    import json

    link = mismatch.link
    producer, consumer = _producer(project, link), str(link.consumer)
    lines = [f"✗ {producer}  =>  {consumer}    (linked by {FOUND_BY[link.origin.value]})"]
    lines += [f"    {reason}" for reason in mismatch.reasons]
    if mismatch.counterexample is not None:
        payload = json.dumps(mismatch.counterexample, ensure_ascii=False)
        lines.append(f"    {producer} may send   {payload}")
        lines.append(f"    and {consumer} rejects it.")
    elif mismatch.compatible is None:
        lines.append("    Whether it fits could not be decided; that counts as a no.")
    ends = ((link.producer, "output"), (link.consumer, "input"))
    lines.append("    " + ", ".join(_place(project, end, side) for end, side in ends))
    if link.evidence:
        lines.append(f"    {'; '.join(link.evidence)}")
    return "\n".join(lines)


def _guess(mismatch: Any) -> str:
    """A pairing that would not fit, if it is meant at all."""
    link = mismatch.link
    lines = [f"? {link.producer}  =>  {link.consumer}    (only guessed, from @depends_on on the class: no finding)"]
    lines += [f"    {reason}" for reason in mismatch.reasons]
    line = f'@depends_on("{link.producer}") on {link.consumer}'
    lines.append(f"    If this is meant, write {line}; then it is checked.")
    return "\n".join(lines)


def _producer(project: Any, link: Any) -> str:
    if link.producer.topic is None:
        return str(link.producer)
    agent = project.agent(link.producer.node)
    methods = [p.method for p in agent.publications if p.topic.name == link.producer.topic and p.method]
    return f"{link.producer.node}{'.' + methods[0] if methods else ''} -> {link.producer.topic}"


def _place(project: Any, end: Any, side: str) -> str:
    """File and line of an end; with those of its contract, where that stands beside the code."""
    agent = project.agent(end.node)
    method = agent.method(end.method) if end.method else None
    beside = method.metadata.get("beside", {}).get(side) if method else None
    contract = f" (contract: {beside})" if beside else ""
    lines = [p.lineno for p in agent.publications if p.topic.name == end.topic]
    line = method.lineno if method else next(iter(lines), agent.metadata.get("lineno", 1))
    inherited = method.metadata.get("inherited_from") if method else None
    return f"{inherited['source_file'] if inherited else agent.source_file}:{line}{contract}"
