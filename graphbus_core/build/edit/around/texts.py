"""A small change inside a long method: a text that stands in its body exactly once becomes another."""

from __future__ import annotations

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.text.plan import Plan
from graphbus_core.build.edit.text.source import Edit
from graphbus_core.model.operation import EditText


def edit(plan: Plan, op: EditText) -> bool:
    """Replace `old` by `new`. The anchor is the method and the text together, so nothing moves by a line number."""
    assert op.method is not None
    source, owner, function = plan.workspace.method(op.node, op.method)
    _, cls = plan.workspace.node(op.node)
    if owner is not cls:
        raise Refusal(
            f"{op.symbol} is inherited from {owner.name}; its body is that class's.",
            (f"{source.path}:{function.lineno}",),
        )
    old, new = (text.replace("\r\n", "\n").replace("\r", "\n") for text in (op.old, op.new))
    if not old.strip():
        raise Refusal("`old` is empty; give the text that is to be replaced.")
    if old == new:
        return False
    start, end = source.line_start(source.span(function.body[0])[0]), source.span(function.body[-1])[1]
    if not source.begins_line(source.span(function.body[0])[0]):  # `def f(self): return 1`
        start = source.span(function.body[0])[0]
    newline = source.newline(start)
    wanted, made = (text.replace("\n", newline.decode()).encode() for text in (old, new))
    body = source.data[start:end]
    found = body.count(wanted)
    if found != 1:
        if not found and body.count(made) == 1:
            return False  # it was done already
        many = f"stands {found} times in" if found else "does not stand in"
        more = "Give more of the lines around it." if found else "Copy it as it is written, with its spaces."
        raise Refusal(f"{old!r} {many} the body of {op.symbol}. {more}", (f"{source.path}:{function.lineno}",))
    at = start + body.index(wanted)
    plan.add(source, Edit(at, at + len(wanted), made))
    return True
