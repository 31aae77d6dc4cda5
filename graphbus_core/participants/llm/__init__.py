"""Models at the table (design §10): who answers by default, their seats, what they cost, what a build would cost.

    choice = choose_model(os.environ, llm)              # which model, and a sentence that says why
    table = Table.of(llm, watch=show)                   # budget, usage and lanes that all seats share
    seats = seat(llm, names, model=choice.model, table=table)
    estimate(seats, session.pending(), rounds=3).sentence()     # before the first call
    table.spending.report()                               # usage per agent, round, model and in total

pydantic-ai is imported when the first question is asked, not before.
"""

from graphbus_core.participants.llm import questions  # noqa: F401 - they register their questions
from graphbus_core.participants.llm.agent import LLMAgent
from graphbus_core.participants.llm.cost_estimate import Estimate, Estimate as Plan, estimate
from graphbus_core.participants.llm.models import (
    ModelChoice,
    choose_model,
    fill_missing_keys,
    find_provider,
    is_model,
    resolve_model_name,
)
from graphbus_core.participants.llm.participant import LLMParticipant, Progress, Table, Watch, seat
from graphbus_core.participants.llm.prompts import Family, Question, register
from graphbus_core.participants.llm.usage import BudgetSpent, Spending, Usage

__all__ = [
    "BudgetSpent",
    "Estimate",
    "Family",
    "LLMAgent",
    "LLMParticipant",
    "ModelChoice",
    "Plan",
    "Progress",
    "Question",
    "Spending",
    "Table",
    "Usage",
    "Watch",
    "choose_model",
    "estimate",
    "fill_missing_keys",
    "find_provider",
    "is_model",
    "register",
    "resolve_model_name",
    "seat",
]
