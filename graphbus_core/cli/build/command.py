"""`graphbus build`: options -> BuildConfig, BuildArtifacts -> text or JSON."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from graphbus_core.cli.build.text import as_dict, as_text
from graphbus_core.shown import shown

app = typer.Typer(add_completion=False)

Many = list[str] | None
# options that only a negotiation has, in the order in which `build` names them to `_check`
NEGOTIATING = (
    *("--model", "--intent", "--goal", "--verify", "--approve", "--answers"),
    *("--dry-run", "--git", "--resume", "--fresh", "--estimate"),
)
ROUNDS = 3  # the CLI's default (design §6.9); the library's is 10


@app.command()
def build(
    path: Annotated[str, typer.Argument(help="The folder of the agents, or a dotted package.")],
    enable_agents: Annotated[bool, typer.Option("--enable-agents", help="Negotiate, and edit what is agreed.")] = False,
    rounds: Annotated[int | None, typer.Option(help="Rounds of negotiation at most.", show_default="3")] = None,
    output_dir: Annotated[str, typer.Option("--output-dir", "-o", help="Where the build goes.")] = ".graphbus",
    model: Annotated[
        Many,
        typer.Option(
            "--model",
            "--llm-model",
            "--seat",
            help="Who speaks: a model, Agent=model, Agent=mcp (a coding agent), scripted:FILE, recorded:LOG.",
        ),
    ] = None,
    intent: Annotated[str | None, typer.Option(help="What you want, in your words; every agent is told.")] = None,
    goal: Annotated[Many, typer.Option(help="A refactoring goal (may be repeated).")] = None,
    verify: Annotated[
        str | None, typer.Option(help="Your command that must pass before a commit; auto: pytest.")
    ] = None,
    include: Annotated[Many, typer.Option(help="Only these: globs on paths or dotted modules.")] = None,
    exclude: Annotated[Many, typer.Option(help="Not these: globs on paths or dotted modules.")] = None,
    arbiter: Annotated[Many, typer.Option(help="Arbiters, in the order in which they are asked.")] = None,
    protect: Annotated[Many, typer.Option(help="Files, folders or globs that no commit may change.")] = None,
    fallback_model: Annotated[
        str | None, typer.Option("--fallback-model", help="Asked where the first model cannot answer.")
    ] = None,
    max_cost: Annotated[float | None, typer.Option(help="USD that models may cost.")] = None,
    max_tokens: Annotated[int | None, typer.Option(help="Tokens that models may use.")] = None,
    max_wall: Annotated[float | None, typer.Option(help="Seconds that the negotiation may take.")] = None,
    allow_imports: Annotated[bool, typer.Option("--allow-imports", help="Commits may add imports.")] = False,
    answers: Annotated[
        str | None, typer.Option(help="Who says what is meant where rules have no evidence: a YAML file, or a model.")
    ] = None,
    allow_unproved: Annotated[
        str | None, typer.Option(help="Gates that may stay unproved where they cannot run: imports,rehearsal,types.")
    ] = None,
    approve: Annotated[bool, typer.Option("--approve", help="Ask me before each commit.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the diffs; change nothing.")] = False,
    git: Annotated[bool, typer.Option("--git", help="One git commit for each committed proposal.")] = False,
    allow_dirty: Annotated[bool, typer.Option("--allow-dirty", help="Work over uncommitted changes.")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the unfinished negotiation.")] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Drop the unfinished negotiation and start over.")] = False,
    estimate: Annotated[bool, typer.Option("--estimate", help="Say what the models would cost; ask nobody.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs: one JSON object on stdout.")] = False,
) -> None:
    """Scan, link and freeze a project; with --enable-agents its agents negotiate first."""
    from graphbus_core.config import BuildConfig, SafetyConfig
    from graphbus_core.workspace.does import building

    told = (model, intent, goal, verify, approve, answers, dry_run, git, resume, fresh, estimate)
    _check(enable_agents, dict(zip(NEGOTIATING, told, strict=True)), rounds)
    most = SafetyConfig().max_negotiation_rounds if resume else ROUNDS
    config = BuildConfig(
        root_package=path,
        include_modules=include,
        exclude_modules=exclude,
        llm_config=_llm(model or [], fallback_model, max_cost, max_tokens, max_wall),
        refactoring_goals=goal,
        safety_config=SafetyConfig(
            max_negotiation_rounds=most if rounds is None else rounds,
            arbiter_agents=arbiter or [],
            protected_files=protect or [],
            allow_external_dependencies=allow_imports,
        ),
        output_dir=output_dir,
        enable_human_in_loop=approve,
        enable_agents=enable_agents,
        intent=intent,
        verify=verify,
        dry_run=dry_run,
        git_commit=git,
        allow_dirty=allow_dirty,
        resume=resume,
        fresh=fresh,
        answers=answers,
        allow_unproved=_names(allow_unproved),
        stated=frozenset() if rounds is None else frozenset({"safety_config.max_negotiation_rounds"}),
    )
    if estimate:
        _estimate(config, as_json)
        return
    if enable_agents:
        from graphbus_core.cli.build.agents import negotiated

        artifacts = negotiated(config, as_json)
    else:
        artifacts = building.build(config)
    found = building.findings(artifacts) if enable_agents else []
    if as_json:
        import json

        typer.echo(json.dumps({**as_dict(artifacts), "findings": found}, ensure_ascii=False))
    else:
        typer.echo(shown(as_text(artifacts, path)))
        if artifacts.dry_run:
            typer.echo(_would_change(artifacts.negotiation))
        if found:
            typer.echo(f"Findings (exit code 1): {'; '.join(found)}.")
    if found:
        raise typer.Exit(1)


def _check(enable_agents: bool, needs: dict[str, Any], rounds: int | None) -> None:
    """Raises UsageError for options that contradict each other."""
    from graphbus_core.errors import UsageError

    if not enable_agents and (given := [name for name, value in needs.items() if value]):
        raise UsageError(f"{given[0]} is for a negotiation, and a plain build has none; add --enable-agents.")
    if rounds is not None and rounds < 1:
        raise UsageError(f"--rounds {rounds}: a negotiation has at least one round. Give --rounds 1 or more.")
    if needs["--resume"] and needs["--fresh"]:
        raise UsageError("--resume goes on and --fresh starts over; give one of them.")


def _names(given: str | None) -> list[str]:
    return [name.strip() for name in (given or "").split(",") if name.strip()]


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


def _llm(models: list[str], other: str | None, cost: float | None, tokens: int | None, wall: float | None) -> Any:
    from graphbus_core.config import LLMConfig
    from graphbus_core.errors import UsageError

    if not models and other is None and cost is None and tokens is None and wall is None:
        return None
    per_agent: dict[str, str] = {}
    common = None
    for given in models:
        agent, sep, name = given.partition("=")
        own = bool(sep) and agent.replace(".", "").isidentifier()
        before = per_agent.get(agent) if own else common
        if not (name if own else given).strip():
            raise UsageError(f"--model {given!r} names no model; write one, or leave it out.")
        if before is not None:
            who = f"{agent} has two models" if own else "Two models are to speak for all"
            raise UsageError(f"{who}: {before} and {name if own else given}. Give one; others as --model Agent=model.")
        if own:
            per_agent[agent] = name
        else:
            common = given
    return LLMConfig(
        common, models=per_agent, fallback_model=other, max_cost_usd=cost, max_tokens=tokens, max_wall_s=wall
    )
