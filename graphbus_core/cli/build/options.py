"""The options of `graphbus build`: how each is said. What they come to is `workspace.does.options`."""

from __future__ import annotations

from typing import Annotated

import typer

from graphbus_core.cli.options import Many, setting

Path = Annotated[
    str | None,
    typer.Argument(help="The folder of the agents, or a dotted package; default: `roots` of the settings."),
]
EnableAgents = Annotated[bool, typer.Option("--enable-agents", help="Negotiate, and edit what is agreed.")]
Rounds = Annotated[int | None, setting("rounds", show_default="3")]
OutputDir = Annotated[
    str | None, typer.Option("--output-dir", "-o", help="Where the build goes.", show_default=".graphbus")
]
Model = Annotated[
    Many,
    setting("model", "--model", "--llm-model", "--seat"),
]
Intent = Annotated[str | None, typer.Option(help="What you want, in your words; every agent is told.")]
Goal = Annotated[Many, typer.Option(help="A refactoring goal (may be repeated).")]
Verify = Annotated[str | None, setting("verify")]
Answers = Annotated[
    str | None, typer.Option(help="Who says what is meant where rules have no evidence: a YAML file, or a model.")
]
Arbiter = Annotated[Many, setting("policy.arbiters")]
Protect = Annotated[Many, setting("policy.protect")]
FallbackModel = Annotated[str | None, setting("fallback_model", "--fallback-model")]
MaxCost = Annotated[float | None, setting("budget.cost_usd")]
MaxTokens = Annotated[int | None, setting("budget.tokens")]
MaxWall = Annotated[float | None, setting("budget.wall_s")]
BaseUrl = Annotated[str | None, typer.Option(help="The address of the model's server, such as one on this machine.")]
AnswerTimeout = Annotated[float | None, typer.Option(help="Seconds that one answer may take.", show_default="120")]
Concurrency = Annotated[int | None, typer.Option(help="Questions under way at once.", show_default="64")]
OutputTokens = Annotated[int | None, typer.Option(help="Tokens that one answer may have.", show_default="8000")]
AllowImports = Annotated[
    bool | None, setting("policy.allow_imports", "--allow-imports/--no-imports", show_default="no")
]
AllowUnproved = Annotated[str | None, setting("policy.allow_unproved")]
Approve = Annotated[bool | None, setting("policy.approve", "--approve/--no-approve", show_default="no")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the diffs; change nothing.")]
Git = Annotated[bool | None, setting("policy.git", "--git/--no-git", show_default="no")]
AllowDirty = Annotated[bool, typer.Option("--allow-dirty", help="Work over uncommitted changes.")]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with the unfinished negotiation.")]
Fresh = Annotated[bool, typer.Option("--fresh", help="Drop the unfinished negotiation and start over.")]
Estimate = Annotated[bool, typer.Option("--estimate", help="Say what the models would cost; ask nobody.")]
