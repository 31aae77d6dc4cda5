"""Who answers for whom at the table: people, models, transcripts, rules. Each is imported where it is seated."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from graphbus_core.consent.files import read_text
from graphbus_core.errors import ScenarioError, UsageError
from graphbus_core.negotiation.consent.optimum.best import need
from graphbus_core.negotiation.consent.scenario.scenario import Scenario
from graphbus_core.negotiation.consent.told.transcript import blocks
from graphbus_core.negotiation.core import Participant


def seats_of(
    scenario: Scenario,
    humans: Sequence[str],
    chosen: Mapping[str, str | None],
    rules: tuple[int, str],
    prompts_to_stderr: bool,
) -> dict[str, Participant]:
    """Who answers for whom: people, models, transcripts, else the rules (which need issues to weigh).

    `chosen`: the model of each advocate that is not a person; None where nobody named one. `rules`: seed and secret of
    the rule advocates.
    """
    from graphbus_core.participants.people.terminal import TerminalAdvocate

    # One terminal for all people: two readers of one keyboard would take each other's lines.
    seats: dict[str, Participant] = dict.fromkeys(humans, TerminalAdvocate(to_stderr=prompts_to_stderr))
    named: dict[str, str] = {}
    for name, model in chosen.items():
        # A transcript or a desk needs no key. Asking the providers first would refuse a run that needs none of them.
        if (alone := _without_a_model(name, model or "")) is not None:
            seats[name] = alone
        elif model not in (None, "rules"):
            named[name] = str(model)
    seats.update(_models(named) if named else {})
    left = [n for n in scenario.names if n not in seats]
    # Words alone cannot be weighed by rules. Silently seating them would end in a deadlock that looks like a
    # decision.
    if left and not scenario.issues and "rules" not in chosen.values():
        return seats | _default_models(left)
    if left:
        need("numpy")
        from graphbus_core.participants.advocates import RuleAdvocate

        seats.update({n: RuleAdvocate(*rules) for n in left})
    return seats


def _without_a_model(name: str, chosen: str) -> Participant | None:
    """A transcript, a script, or whoever sits at the desk over MCP; None where a model or the rules are meant."""
    if chosen.startswith("scripted:"):
        return _scripted(chosen.removeprefix("scripted:"), name)
    if chosen == "mcp":
        from graphbus_core.participants.people.lasting import FOLDER, LastingDesk, LastingParticipant

        return LastingParticipant(LastingDesk(Path(".graphbus") / FOLDER), "consent")
    return None


def _scripted(file: str, name: str) -> Participant:
    from graphbus_core.participants.written.transcript_seat import TranscriptAdvocate

    text = read_text(Path(file))
    # By the suffix: a transcript is plain text and may begin with anything.
    if Path(file).suffix.lower() in (".yaml", ".yml", ".json"):
        from graphbus_core.participants.written.script_seat import read_advocate

        return read_advocate(text, file, name)
    said, _ = blocks(text)
    if not any(s.kind == "ADVOCATE" for s in said):
        raise ScenarioError(
            f"{file}:1: no block `[ADVOCATE - NAME]` is here; a script is a transcript in the seed's blocks."
        )
    if not any(s.name == name for s in said):
        raise ScenarioError(f"{file}:1: it has no block of the advocate {name!r}.")
    return TranscriptAdvocate(name, said)


def _models(models: Mapping[str, str]) -> dict[str, Participant]:
    from graphbus_core.config import LLMConfig
    from graphbus_core.participants.llm import choose_model, seat

    # Each model once, before anybody speaks: a key that is missing must be told now and not in turn seven.
    for model in sorted(set(models.values())):
        choose_model(os.environ, LLMConfig(model=model))
    seats = seat(LLMConfig(models=dict(models)), list(models))
    missing = [n for n in models if n not in seats]
    if missing:
        raise UsageError(f"{models[missing[0]]!r} is not a model that can be seated as {missing[0]}.")
    return seats


def _default_models(names: Sequence[str]) -> dict[str, Participant]:
    """With words alone, a model must argue: the one whose key is in the environment."""
    from graphbus_core.participants.llm import choose_model

    choice = choose_model(os.environ)
    if choice.model is None:
        raise UsageError(
            f"Nobody can argue for {' and '.join(names)}: the issues are words, which rules cannot weigh. Seat a model "
            "(--model NAME, or a provider's key in the environment), a person (--human NAME), a transcript "
            "(--model scripted:FILE), or give a scenario file with issues and scores."
        )
    return _models(dict.fromkeys(names, choice.model))
