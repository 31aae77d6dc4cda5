"""The JSON Schema of a scenario file, for editors and for the first check. What it means stands in docs/consent.md."""

from __future__ import annotations

from typing import Any

_TEXT = {"type": "string"}
_OPTION = {"type": ["string", "number", "boolean"]}
_OPTIONS = {"anyOf": [_OPTION, {"type": "array", "items": _OPTION, "minItems": 1}]}
_COMBINATION = {
    "type": "object",
    "description": "issue: option, or a list of options. All of them together.",
    "additionalProperties": _OPTIONS,
    "minProperties": 1,
}
_SCORES = {
    "type": "object",
    "description": "issue: {option: points}; options that are not named score 0. For a range also {from: p, to: q}.",
    "additionalProperties": {"type": "object", "additionalProperties": {"type": "number"}},
}

SCENARIO_SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "GraphBus consent scenario",
    "type": "object",
    "required": ["topic", "advocates"],
    "additionalProperties": False,
    "properties": {
        "topic": {**_TEXT, "minLength": 1, "description": "The decision to be made."},
        "work": {**_TEXT, "description": "A file that holds the decision to be made, beside this file."},
        "output": {**_TEXT, "description": "Where the output document goes."},
        "max_turns": {"type": "integer", "minimum": 1, "description": "Bound on TURNS (default 30)."},
        "quorum": {
            "anyOf": [{"const": "all"}, {"type": "integer", "minimum": 1}],
            "description": "How many must consent. Those with a veto always must.",
        },
        "preferences": {
            "enum": ["disclosed", "private", "sealed"],
            "description": "Disclosed: the mediator knows them. Sealed: `consent ask` asks comparisons instead.",
        },
        "choose": {
            "enum": ["nash", "leximin", "kalai-smorodinsky"],
            "description": "By what the mediator chooses: greatest product (default), least gain, or least share.",
        },
        "stand_aside": {
            "type": "boolean",
            "description": "Whether an advocate may let a proposal pass without supporting it, named in the status.",
        },
        "opening": {**_COMBINATION, "description": "Where the talk starts: one option for every issue."},
        "issues": {
            "type": "object",
            "minProperties": 1,
            "description": "issue: a list of options, or {options: […]}, or a range {min, max, step}.",
            "additionalProperties": {
                "anyOf": [
                    {"type": "array", "items": _OPTION, "minItems": 1},
                    {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["options"],
                        "properties": {
                            "title": _TEXT,
                            "options": {
                                "anyOf": [
                                    {"type": "array", "items": _OPTION, "minItems": 1},
                                    {"type": "object", "additionalProperties": _TEXT, "minProperties": 1},
                                ]
                            },
                        },
                    },
                    {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["min", "max"],
                        "properties": {
                            "title": _TEXT,
                            "min": {"type": "number"},
                            "max": {"type": "number"},
                            "step": {"type": "number", "exclusiveMinimum": 0},
                        },
                    },
                ]
            },
        },
        "advocates": {
            "type": "object",
            "minProperties": 2,
            "additionalProperties": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "priority": _TEXT,
                    "rationale": _TEXT,
                    "red_line": {**_TEXT, "description": "The text of the position statement."},
                    "willing_to_trade": _TEXT,
                    "brief": {**_TEXT, "description": "For the advocate alone."},
                    "veto": {"type": "boolean"},
                    "scores": _SCORES,
                    "weights": {"type": "object", "additionalProperties": {"type": "number", "minimum": 0}},
                    "conditional_scores": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "required": ["when"],
                            "properties": {"when": _COMBINATION, "scores": _SCORES, "score": {"type": "number"}},
                        },
                    },
                    "minimum": {"type": "number", "description": "The least total score: a red line."},
                    "relax_minimum_cost": {"type": "number", "minimum": 0},
                    "red_lines": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "properties": {
                                "text": _TEXT,
                                "cost": {"type": "number", "minimum": 0},
                                "forbid": _COMBINATION,
                                "limit": {
                                    "type": "object",
                                    "additionalProperties": False,
                                    "required": ["of"],
                                    "anyOf": [{"required": ["at_least"]}, {"required": ["at_most"]}],
                                    "properties": {
                                        "of": {"anyOf": [_TEXT, {"type": "array", "items": _TEXT, "minItems": 1}]},
                                        "at_least": {"type": "number"},
                                        "at_most": {"type": "number"},
                                    },
                                },
                            },
                            "oneOf": [{"required": ["forbid"]}, {"required": ["limit"]}],
                        },
                    },
                    "trades": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "required": ["give", "get"],
                            "properties": {
                                "give": {"type": "object", "additionalProperties": _OPTION, "minProperties": 1},
                                "get": {"type": "object", "additionalProperties": _OPTION, "minProperties": 1},
                            },
                        },
                    },
                },
            },
        },
    },
}

_DESCRIBED = {
    "title": "What the issue is called where people read.",
    "options": "The options: a list, or option: what it means.",
    "min": "The first number of the range.",
    "max": "The last number of the range.",
    "step": "From one number to the next (default 1).",
    "advocates": "Who sits at the table, in the order of their turns; at least two.",
    "priority": "What this advocate stands for, in a few words.",
    "rationale": "Why it matters. A text of the position statement.",
    "willing_to_trade": "What it can give up. A text of the position statement.",
    "veto": "Whether nothing is agreed without this advocate, also with a quorum.",
    "weights": "issue: a number that its scores are multiplied by.",
    "conditional_scores": "Scores that count only where all of `when` holds.",
    "when": "issue: option, or a list of options. All of them together.",
    "score": "Points where `when` holds.",
    "relax_minimum_cost": "What a point below the minimum costs in a proof's relaxation.",
    "red_lines": "What this advocate cannot accept, in a form that can be checked.",
    "text": "The red line in words.",
    "cost": "What relaxing it costs: by unit for a limit, once for a combination.",
    "limit": "Bounds on a number, or on the sum of several issues' numbers.",
    "of": "The issue, or a list of issues, whose numbers are bounded.",
    "at_least": "The least that the sum may be.",
    "at_most": "The most that the sum may be.",
    "trades": "What this advocate would give, and what for; the mediator's words use them.",
    "give": "issue: the option that it would accept.",
    "get": "issue: the option that it wants in return.",
}


def _describe(schema: Any) -> None:
    """Give every property its sentence: editors show it beside the key."""
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        _describe(part)
    if isinstance(schema, dict) and isinstance(schema.get("properties"), dict):
        for name, inside in schema["properties"].items():
            if name in _DESCRIBED and isinstance(inside, dict) and "description" not in inside:
                schema["properties"][name] = {**inside, "description": _DESCRIBED[name]}


_describe(SCENARIO_SCHEMA)
