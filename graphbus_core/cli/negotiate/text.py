"""What `graphbus negotiate` prints, for people and for agents that read it."""

from __future__ import annotations

import errno
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from shlex import quote
from typing import Any

from graphbus_core.errors import ConfigError, Locked, LogDamaged, ParticipantError
from graphbus_core.services.documents import (
    Entry,
    Issue,
    Phase,
    Reason,
    State,
    Status,
    TurnSkipped,
    format_utc,
    is_unwritten,
    render_entry,
)
from graphbus_core.text import escape_line, format_count


def render_json(data: Mapping[str, Any]) -> str:
    """One line of JSON, in UTF-8 also where a file name is not: there U+FFFD stands for what is not one."""
    return (
        json.dumps(data, ensure_ascii=False, default=list).encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    )


def describe_error(e: Exception, more: str = "") -> Reason:
    """An error as a reason, with what to do next."""
    if isinstance(e, OSError):
        what = f"{e.strerror or e}: {e.filename2 or e.filename}." if e.filename else f"{e.strerror or e}."
        todo = _MEND.get(e.errno or 0, "Mend that.")
        return Reason(what, f"{todo} {more or 'Then run the command again.'}", code="io")
    kinds = {ConfigError: "usage", Locked: "locked", LogDamaged: "damaged", ParticipantError: "participant"}
    code = next((code for kind, code in kinds.items() if isinstance(e, kind)), "error")
    return Reason(str(e), more, code=code)


_MEND = {
    errno.EACCES: "Give this user the right to read and write there.",
    errno.EPERM: "Give this user the right to read and write there.",
    errno.EROFS: "It is on a file system that cannot be written: use a DIR on another.",
    errno.ENOSPC: "Make room.",
    errno.EDQUOT: "Make room.",
    errno.EEXIST: "A file stands where a folder should be: move it away.",
    errno.ENOTDIR: "A file stands where a folder should be: move it away.",
    errno.EISDIR: "A folder stands where a file should be: move it away.",
    errno.ELOOP: "A symbolic link stands where a plain file should be: move it away.",
}


def render_turn_order(data: Mapping[str, Any]) -> str:
    """What `wait-for-start` prints."""
    order = " -> ".join(data["agents"])
    if data["phase"] == Phase.ANALYSIS and data["turn"] == "yours":
        return (
            f"Turn order: {order}\nFirst everybody alone: write analysis/YOUR-NAME.md, draft issues in "
            "issues-draft/YOUR-NAME/NN-topic.md, then `graphbus negotiate analysis-done DIR NAME`."
        )
    return f"Turn order: {order}"


def render_poll(data: Mapping[str, Any], name: str) -> str:
    """Whose turn it is."""
    lost = data.get("skipped")
    return f"{lost}\n{_render_turn(data, name)}" if lost else _render_turn(data, name)


def _render_turn(data: Mapping[str, Any], name: str) -> str:
    match data["turn"]:
        case "done":
            return f"Done: {data['ended']}." if data["ended"] else "Done: read final.md."
        case "yours" if data["phase"] == Phase.ANALYSIS:
            return (
                f"Your analysis, {name}, before you see theirs: write analysis/{name}.md, draft issues in "
                f"issues-draft/{name}/NN-topic.md, then `graphbus negotiate analysis-done DIR {name}`."
            )
        case "yours":
            more = " Everything is settled: write final.md, then finish." if data["settled"] else ""
            return f"Your turn, {name} (turn {data['number']}).{more}"
    if data["phase"] == Phase.REGISTRATION:
        return f"Registration is open: {len(data['agents'])} so far. Wait."
    if data["phase"] == Phase.ANALYSIS:
        return "The others are still preparing the issues, each alone. Wait."
    if data.get("next"):
        return f"The turn is {data['holder']}'s.\n{data['next']}"
    if data["judge"] and data["settled"]:
        return f"Waiting for the ruling on {', '.join(data['judge'])}."
    return f"The turn is {data['holder']}'s. Wait."


def render_seat(data: Mapping[str, Any], again: str) -> str:
    """What `start` says at once, before it waits."""
    name = data["name"]
    lines = [f"You are {name}. If this is broken off, go on with: {again}"]
    if data["resumed"]:
        whose = f" ({data['identity']})" if data.get("identity") else ""
        lines = [f"You sit here already, as {name}{whose}: going on."]
        if whose:
            lines.append("If you are another agent of that session, give an identity of your own: --participant ID.")
    return "\n".join([*lines, *data["notes"]])


def render_registration(data: Mapping[str, Any], name: str) -> str:
    """What `register` prints."""
    return f"Registered as {name}." + (f" Your seat: --seat {quote(data['seat'])}" if data.get("seat") else "")


def render_next_call(root: Path, name: str, seat: Path | str | None, what: str) -> str:
    """The next command, ready to be run."""
    who = f"--seat {quote(str(seat))}" if seat else name
    more = " --file - <<'TURN'" if what == "say" else ""
    return f"Next: graphbus negotiate {what} {quote(str(root))} {who}{more}"


def render_write(data: Mapping[str, Any]) -> str:
    """What a single command that writes prints."""
    where = f"Written to {data.get('file', '')}."
    match data.get("as"):
        case "offer":
            return f"{where} It is your offer {data['hash']}: it stands when the others have accepted it."
        case "accept":
            return f"Accepted the offer {data['hash']} on {data['issue']}. It counts with your hand-off."
    return where


def render_say(data: Mapping[str, Any], root: Path, name: str, seat: Path | None) -> str:
    """What `say` prints."""
    counted = [f"{data[key]} {key}" for key in ("accepted", "offered", "said", "filed", "escalated") if data.get(key)]
    counts_text = ", ".join(counted) or "nothing new"
    match data["end"]:
        case "finished":
            return f"Taken: {counts_text}. Everything is agreed.\n{render_finish(data, root)}"
        case "kept":
            return f"Taken: {counts_text}. You keep the turn.\n{render_next_call(root, name, seat, 'say')}"
    return f"Taken: {counts_text}. The turn is {data['holder']}'s.\n{render_next_call(root, name, seat, 'turn')}"


def render_start(data: Mapping[str, Any], root: Path) -> str:
    """What `start` prints."""
    name = data["name"]
    first = "You opened it" if data["initializer"] else "You go on with it" if data["resumed"] else "You joined it"
    lines = [f"{first}: {root}", f"You are {name}."]
    if data["sources"]:
        lines.append(f"Your plan: {', '.join(f'sources/{source}.md' for source in data['sources'])}")
    if data.get("turn") == "done":
        return "\n".join([*lines, _render_turn(data, str(name))])
    if data.get("started"):
        lines.append(render_turn_order(data))
    if data.get("seat"):
        lines.append(f"Your seat is in {data['seat']}: whoever acts for you gives --seat with it.")
    lines.append(render_next_call(root, str(name), data.get("seat"), "turn"))
    return "\n".join(lines)


def render_finish(data: Mapping[str, Any], root: Path) -> str:
    """What `finish` prints."""
    lines = [f"Finished: {root / 'final.md'}"]
    left_out = data.get("left_out") or ()
    if left_out:
        lines.append(f"{len(left_out)} statements of the sources, decided by nobody, do not stand in it word for word:")
        lines += [f"  {point}" for point in left_out[:20]]
        lines += [f"  and {len(left_out) - 20} more: see fates.md"] if len(left_out) > 20 else []
    return "\n".join(lines)


def list_open_issues(state: State) -> list[str]:
    """What stands between a negotiation and its document, an issue a line."""
    return [
        f"{issue.stem}: {describe_state(state, issue)}: {issue.title}"
        for issue in state.issues.values()
        if issue.is_open
    ]


def render_recovery(data: Mapping[str, Any]) -> str:
    """What `recover` prints."""
    lines = [f"The log was damaged; it is kept as {data['log']}."] if data["log"] else []
    lines += [f"Put back {r['file']}: {r['what']}" for r in data["undone"]]
    return "\n".join(lines) or "Nothing had to be put back."


def describe_state(state: State, issue: Issue) -> str:
    """One word or two for an issue's state."""
    if issue.status is Status.AGREED:
        if issue.ruled:
            return "AGREED (ruled)"
        return "AGREED" if issue.stands or state.stands(issue) else "AGREED (not by all yet)"
    if issue.status is Status.ESCALATE:
        return "ESCALATE (unresolved)" if issue.unruled or not state.settings.judge else "ESCALATE (waits)"
    return "OPEN"


def render_status(state: State, skips: Sequence[TurnSkipped] = ()) -> str:
    """What `status` prints."""
    where = f"turn {state.turn}: {state.holder}" if state.holder else str(state.phase)
    lines = [f"Phase: {state.phase} ({where}). Agents: {', '.join(state.agents) or 'none yet'}."]
    width = max([0, *(len(stem) for stem in state.issues)]) + 3
    for stem, issue in state.issues.items():
        rounds = ", ".join(f"{a} {state.count_rounds(issue, a)}/{state.settings.max_rounds}" for a in state.agents)
        blank = "  (still an empty form)" if not issue.entries and is_unwritten(issue.text) else ""
        lines.append(f"{stem + '.md':<{width}}  {describe_state(state, issue):<24} {issue.title}  [{rounds}]{blank}")
    count = {s: sum(i.status is s for i in state.issues.values()) for s in Status}
    lines.append(f"{format_count(len(state.issues), 'issue')}: " + ", ".join(f"{n} {s}" for s, n in count.items()))
    if state.ended:
        lines.append(f"It ended without a document: {state.ended}.")
    return "\n".join([*lines, *list_incidents(state, skips)])


def list_incidents(state: State, skips: Sequence[TurnSkipped]) -> list[str]:
    """What befell the agents: turns that were skipped, and what was put back."""
    lines = [f"Skipped: turn {skip.turn} of {skip.holder}: {skip.why}" for skip in skips]
    for notice in state.notices[-10:]:
        place = f"{notice.file}:{notice.line}" if notice.line else notice.file
        lines.append(f"Put back: {place}: {notice.what}" + (f" (kept in {notice.kept})" if notice.kept else ""))
    return lines


def build_status_data(state: State, skips: Sequence[TurnSkipped] = ()) -> dict[str, Any]:
    """`status --json`."""
    return {
        "phase": str(state.phase),
        "turn": state.turn,
        "holder": state.holder,
        "agents": state.agents,
        "ended": state.ended,
        "issues": [
            {
                "issue": stem,
                "title": issue.title,
                "status": str(issue.status),
                "stands": issue.stands or state.stands(issue),
                "decision": issue.decision,
                "rounds": issue.rounds,
            }
            for stem, issue in state.issues.items()
        ],
        "notices": [n.to_dict() for n in state.notices],
        "skips": [skip.to_dict() for skip in skips],
    }


def render_negotiation(state: State, stem: str = "", skips: Sequence[TurnSkipped] = ()) -> str:
    """What `show` prints."""
    parts = []
    if not stem:
        parts.append("# Topic\n\n" + (state.topic.strip().removeprefix("# Topic").strip() or "(none was given)"))
        parts += [f"# Source: {name}\n\n{text.strip()}" for name, text in state.sources.items()]
    for issue in state.issues.values():
        if stem in ("", issue.stem):
            entries = "\n".join(render_entry(e.by, e.kind, e.number, e.text) for e in issue.entries)
            decision = f"\n{issue.decision}" if issue.decision else ""
            beside = "".join(f"\n\n(beside the entries) {words}" for words in issue.remarks)
            parts.append(
                f"{issue.text.strip()}\n\n{entries}\n## Status: {describe_state(state, issue)}{decision}{beside}"
            )
    if state.final and not stem:
        parts.append(f"# final.md\n\n{state.final.strip()}")
    if not stem and (lines := list_incidents(state, skips)):
        parts.append("# What happened\n\n" + "\n".join(lines))
    return "\n\n---\n\n".join(parts)


def build_negotiation_data(state: State, stem: str = "", skips: Sequence[TurnSkipped] = ()) -> dict[str, Any]:
    """`show --json`."""
    document = {
        **build_status_data(state, skips),
        "topic": state.topic,
        "sources": state.sources,
        "final": state.final,
    }
    document["issues"] = [
        {**issue_data, "text": issue.text, "entries": [asdict(e) for e in issue.entries]}
        for issue_data, issue in zip(document["issues"], state.issues.values(), strict=True)
        if stem in ("", issue.stem)
    ]
    return document


def render_fact(entry: Entry, json_form: bool) -> str:
    """One line of `watch`."""
    data = entry.event.to_dict()
    if json_form:
        return render_json({"seq": entry.seq, "at": entry.at, "kind": entry.event.kind, **data})
    data_text = ", ".join(f"{key} {_cut_value(value)}" for key, value in data.items() if value not in ("", (), 0))
    return escape_line(f"{entry.seq:4} {format_utc(entry.at or 0)} {entry.event.kind.replace('_', ' ')}: {data_text}")


def _cut_value(value: Any) -> str:
    if isinstance(value, list | tuple):
        names = [str(v.get("issue") or v.get("stem") or v) if isinstance(v, Mapping) else str(v) for v in value]
        return ", ".join(names)[:120]
    return " ".join(str(value).split())[:80]
