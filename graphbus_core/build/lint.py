"""Where a method's contract, its signature and what it really returns disagree, over a whole project."""

from __future__ import annotations

import ast
import textwrap

from graphbus_core.build.scan import Project
from graphbus_core.contracts.disagreement import Finding, lint as contract_lint


def lint(project: Project) -> tuple[Finding, ...]:
    """Every finding, in the order of agents and methods; an inherited method is judged where it is written."""
    found: list[Finding] = []
    for agent in project.agents:
        functions = _functions(agent.source_code)
        handlers = {subscription.handler_name for subscription in agent.subscriptions}
        for method in agent.methods:
            if method.name in functions and not method.metadata.get("inherited_from"):
                handles = method.name in handlers
                found += contract_lint(agent.name, method, functions[method.name], handles=handles)
    return tuple(found)


def _functions(source: str) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    """The methods of a class, given its text."""
    try:
        tree = ast.parse(textwrap.dedent(source))
    except SyntaxError:
        return {}
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    return {f.name: f for c in classes for f in c.body if isinstance(f, ast.FunctionDef | ast.AsyncFunctionDef)}
