"""The form of an answer, as JSON Schema, made of what a question of a decision is about. Pure.

Every front end draws its fields from this one schema. What can be chosen is named by its `title`, what it means is its
`description`, and nothing is filled in: the words of a person are the person's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphbus_core.negotiation.consent.scenario.model import Preferences
from graphbus_core.negotiation.core import Ask

Schema = dict[str, Any]
MOVES = (
    ("propose", "Propose", "Put a whole proposal on the table."),
    ("discuss", "Say something", "A word to the table; the proposal stays as it is."),
    ("check", "Ask everyone for consent", "Everybody is asked whether the proposal on the table is agreed."),
    ("pass", "Pass", "Say nothing this turn."),
)


def build_answer_schema(ask: Ask) -> Schema:
    """The schema of the answer to a question of a decision; what the question says itself where that is enough."""
    match ask.kind:
        case "turn":
            return _build_turn(ask.about)
        case "consent":
            return _build_consent(ask.about)
        case "position":
            return _build_position()
        case "ballot":
            return _build_ballot(ask.about)
        case "opening":
            return _build_opening(ask.about)
        case "red_lines":
            line = _text("", "One sentence: what must not be.")
            return _object({"lines": {"type": "array", "title": "Red lines", "items": line, "maxItems": 40}}, "lines")
        case "minimum":
            share = {"type": "number", "title": "Of 100", "minimum": 0, "maximum": 100}
            return _object({"share": share}, "share")
    stated = ask.about.get("answer")
    return _build_listed(stated, ask.about.get("answers") or {}) if isinstance(stated, dict) else {"type": "object"}


def _build_turn(about: Mapping[str, Any]) -> Schema:
    may = {"propose": about.get("may_speak", True), "discuss": about.get("may_speak", True)}
    may["check"] = bool(about.get("may_check"))
    moves = []
    for move, title, means in MOVES:
        if not may.get(move, True):
            continue
        fields: Schema = {"move": {"const": move}}
        if move == "propose":
            fields["terms"] = _build_terms(about)
            fields |= {
                "offer": _text("What I offer", ""),
                "want": _text("What I want for it", ""),
                "rationale": _text("Why it is fair", ""),
            }
        elif move == "discuss":
            fields["text"] = _text("What I say", "")
        elif move == "check" and not _is_on_table(about):
            fields["terms"] = _build_terms(about)
        needed = ("move", *(name for name in ("terms", "text") if name in fields))
        moves.append({**_object(fields, *needed), "title": title, "description": means})
    return {"type": "object", "oneOf": moves}


def _is_on_table(about: Mapping[str, Any]) -> bool:
    """Whether a proposal stands to which nobody has objected, so that a check needs no terms of its own."""
    standing = about.get("proposal") or {}
    return bool(standing) and not standing.get("objections")


def _build_terms(about: Mapping[str, Any]) -> Schema:
    """One option for every issue, each with what it means and what it is worth to whoever is asked; without issues the
    proposal is lines of words."""
    issues = about.get("issues") or {}
    if not issues:
        return {"type": "array", "title": "The proposal", "items": _text("", "One line of it."), "minItems": 1}
    scores = (about.get("yours") or {}).get("scores") or {}
    options = {str(name): _build_options(str(name), issue, scores.get(name) or {}) for name, issue in issues.items()}
    return {**_object(options, *options), "title": "One option for each"}


def _build_options(name: str, issue: Mapping[str, Any], scores: Mapping[str, float]) -> Schema:
    """The options of one issue, each by its words."""
    choices: list[Schema] = []
    for option in map(str, issue.get("options", ())):
        worth = scores.get(option)
        told = [(issue.get("meanings") or {}).get(option), "" if worth is None else f"worth {worth:g} to you"]
        means = "; ".join(str(part) for part in told if part)
        choices.append({"const": option, "title": option, **({"description": means} if means else {})})
    return {"title": str(issue.get("title") or name), "oneOf": choices}


def _build_consent(about: Mapping[str, Any]) -> Schema:
    def build_vote(vote: str, title: str, means: str, *, why: str = "", needed: bool = False) -> Schema:
        fields: Schema = {"answer": {"const": vote}}
        if why:
            fields["reason"] = _text(why, "")
        return {**_object(fields, "answer", *(["reason"] if needed else [])), "title": title, "description": means}

    votes = []
    if not about.get("red_lines_crossed"):
        votes.append(build_vote("consent", "Consent", "I agree to exactly this."))
        if about.get("stand_aside"):
            means = "I do not support it, and I do not stand in its way."
            votes.append(build_vote("stand_aside", "Stand aside", means, why="Why I stand aside"))
    votes.append(build_vote("object", "Object", _tell_objection(about), why="Why I object", needed=True))
    if not about.get("may_state_position"):
        return {"type": "object", "oneOf": votes}
    line = _text("My position", "What matters to you, if you want to say it: everybody reads it.")
    return {"type": "object", "properties": {"priority": line}, "oneOf": votes}


def _tell_objection(about: Mapping[str, Any]) -> str:
    """What an objection leads to."""
    if about.get("last_chance"):
        return "I do not agree. This is the last vote that can be held: without consent it ends undecided."
    if about.get("preferences") == Preferences.SEALED:
        return "I do not agree. GraphBus does not propose exactly this again; the others read my reason, it does not."
    return "I do not agree; the others need my reason to go on."


def _build_position() -> Schema:
    texts = {
        "priority": _text("My priority", ""),
        "rationale": _text("Why it matters", ""),
        "red_line": _text("What I cannot accept", ""),
        "willing_to_trade": _text("What I can give up", ""),
    }
    return _object(texts, "priority")


def _build_opening(about: Mapping[str, Any]) -> Schema:
    """What the first speaker proposes; what matters to it is a line beside that, or is left."""
    line = _text("What matters to you", "A line that everybody reads, if you want to.")
    fields: Schema = {"way": {"const": "propose"}, "terms": _build_terms(about), "priority": line}
    means = "Everybody is asked at once whether they agree. That you propose it counts as your own consent."
    proposal = {**_object(fields, "way", "terms"), "title": "Put it to the table", "description": means}
    first = (about.get("others") or ["somebody else"])[0]
    wait = {
        **_object({"way": {"const": "wait"}}, "way"),
        "title": f"Let {first} begin",
        "description": "Propose nothing now.",
    }
    return {"type": "object", "oneOf": [proposal, wait]}


# Far enough apart that a person can tell one from the next; a program may give any whole number up to ten.
STEPS = ((0, "No"), (3, "Hardly"), (5, "Fine"), (8, "Good"), (10, "Best"))


def _build_ballot(about: Mapping[str, Any]) -> Schema:
    """Points for each option, in steps that can be told apart; what is left out counts as nothing."""
    steps = [{"const": points, "title": title} for points, title in STEPS]
    points: Schema = {}
    for name, issue in (about.get("issues") or {}).items():
        options: Schema = {}
        for option in map(str, issue.get("options", ())):
            means = (issue.get("meanings") or {}).get(option)
            options[option] = {"title": f"{option} ({means})" if means else option, "default": 0, "oneOf": steps}
        points[str(name)] = {**_object(options), "title": str(issue.get("title") or name)}
    least = "Rather no deal than one worth less than this to me, in percent of my best one"
    share = {"type": "number", "title": least, "minimum": 0, "maximum": 100}
    line = _text("", "What must not be, in your own words.")
    lines = {"type": "array", "title": "Red lines", "items": line, "maxItems": 40}
    fields: Schema = {"way": {"const": "ballot"}, "points": {**_object(points, *points), "title": ""}, "lines": lines}
    ballot = {**_object({**fields, "share": share}, "way", "points"), "title": "Hand in my ballot"}
    asks = "Up to 15 short questions. Take this where what you like of one thing depends on another."
    one_by_one = {**_object({"way": {"const": "questions"}}, "way"), "title": "Ask me one by one instead"}
    return {
        "type": "object",
        "oneOf": [{**ballot, "description": str(about.get("says", ""))}, {**one_by_one, "description": asks}],
    }


def _build_listed(stated: Schema, answers: Mapping[str, str]) -> Schema:
    """The question's own form, with the numbers in it named by what they stand for."""
    properties: Schema = dict(stated.get("properties", {}))
    names = list(answers.values())
    if "choice" in properties and names:
        properties["choice"] = {"oneOf": [{"const": int(n), "title": text} for n, text in answers.items()]}
    if "grades" in properties and names:
        properties["grades"] = _build_row(properties["grades"], names)
    return {**stated, "properties": properties}


def _build_row(listed: Schema, names: Sequence[str]) -> Schema:
    """A list of one value for each name, in their order."""
    of_each = dict(listed.get("items", {}))
    count = len(names)
    return {
        "type": "array",
        "prefixItems": [{**of_each, "title": name} for name in names],
        "minItems": count,
        "maxItems": count,
    }


def _object(properties: Schema, *required: str) -> Schema:
    return {"type": "object", "properties": properties, "required": list(required)}


def _text(title: str, means: str) -> Schema:
    named = {"title": title} if title else {}
    meant = {"description": means} if means else {}
    return {"type": "string", "minLength": 1, **named, **meant}
