"""`graphbus build`: options -> BuildConfig, BuildArtifacts -> text or JSON."""

from __future__ import annotations

from typing import Any

import typer

from graphbus_core.cli import options as shared
from graphbus_core.cli.build import options
from graphbus_core.cli.build.text import as_dict, as_text, findings_text
from graphbus_core.shown import shown

app = typer.Typer(add_completion=False)


@app.command()
def build(
    path: options.Path = None,
    enable_agents: options.EnableAgents = False,
    rounds: options.Rounds = None,
    output_dir: options.OutputDir = None,
    model: options.Model = None,
    intent: options.Intent = None,
    goal: options.Goal = None,
    verify: options.Verify = None,
    answers: options.Answers = None,
    include: shared.Include = None,
    exclude: shared.Exclude = None,
    root: shared.Root = None,
    arbiter: options.Arbiter = None,
    protect: options.Protect = None,
    fallback_model: options.FallbackModel = None,
    max_cost: options.MaxCost = None,
    max_tokens: options.MaxTokens = None,
    max_wall: options.MaxWall = None,
    base_url: options.BaseUrl = None,
    answer_timeout: options.AnswerTimeout = None,
    concurrency: options.Concurrency = None,
    output_tokens: options.OutputTokens = None,
    allow_imports: options.AllowImports = None,
    allow_unproved: options.AllowUnproved = None,
    approve: options.Approve = None,
    dry_run: options.DryRun = False,
    git: options.Git = None,
    allow_dirty: options.AllowDirty = False,
    resume: options.Resume = False,
    fresh: options.Fresh = False,
    estimate: options.Estimate = False,
    as_json: shared.AsJson = False,
) -> None:
    """Scan, link and freeze a project; with --enable-agents its agents negotiate first."""
    # Taken before anything else is bound, so that it is the options and nothing more.
    said = dict(locals())
    from graphbus_core.workspace.does import building
    from graphbus_core.workspace.does.options import configured, with_settings

    given = with_settings(said)
    config = configured(given)
    if estimate:
        _estimate(config, as_json)
        return
    artifacts = _negotiated(config, said) if enable_agents else building.build(config)
    found = building.findings(artifacts)
    if as_json:
        import json

        typer.echo(json.dumps({**as_dict(artifacts), "findings": found}, ensure_ascii=False))
    else:
        _tell(artifacts, found, given)
    if found:
        raise typer.Exit(1)


def _negotiated(config: Any, said: dict[str, Any]) -> Any:
    """What the agents agreed on; a new negotiation where there is none to go on with."""
    from graphbus_core.cli.build.agents import negotiated
    from graphbus_core.errors import NothingToResume
    from graphbus_core.workspace.does.options import configured, with_settings

    try:
        # A script says --resume on every start; the first one has nothing to go on with, and that is not a fault.
        return negotiated(config, said["as_json"])
    except NothingToResume:
        typer.echo("There is no unfinished negotiation to resume: this is a new one.", err=True)
        anew = with_settings({**said, "resume": False})
        return negotiated(configured(anew), said["as_json"])


def _tell(artifacts: Any, found: Any, given: dict[str, Any]) -> None:
    """For people: what was built, what would change, what is wrong."""
    typer.echo(shown(as_text(artifacts, given["path"])))
    # Said once, after the build: who committed without tests should know that behaviour was not looked at.
    if artifacts.negotiations and not given["verify"]:
        typer.echo("No command checked behaviour. `--verify auto` runs your tests before each commit.")
    if artifacts.dry_run:
        typer.echo(_would_change(artifacts.negotiation))
    if found:
        typer.echo(findings_text(found))


def _would_change(outcome: Any) -> str:
    """The diffs of a dry run, in the order in which they would land."""
    diffs = [p.receipt.get("unified_diff", "") for p in outcome.proposals if p.outcome == "committed"]
    if not diffs:
        return "\nNothing would be changed."
    return shown("\nDry run: nothing was changed. Without --dry-run this would land:\n\n" + "\n".join(diffs))


def _estimate(config: Any, as_json: bool) -> None:
    import json

    from graphbus_core.workspace.does.building import estimate

    plan, notes = estimate(config)
    typer.echo(json.dumps({**plan.to_dict(), "notes": notes}) if as_json else "\n".join([*notes, plan.sentence()]))
