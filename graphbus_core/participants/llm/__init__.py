"""Models at the table (design §10): who answers by default, their seats, what they cost, what a build would cost.

    choice = choose_model(os.environ, llm)              # which model, and a sentence that says why
    table = Table.of(llm, watch=show)                   # budget, usage and lanes that all seats share
    seats = seat(llm, names, model=choice.model, table=table)
    estimate(seats, session.pending(), rounds=3).sentence()     # before the first call
    table.spending.report()                               # usage per agent, round, model and in total

pydantic-ai is imported when the first question is asked, not before.
"""

from graphbus_core.participants.llm.agent import LLMAgent
from graphbus_core.participants.llm.estimate import (
    Estimate,
    Estimate as Plan,  # its name in 0.1
    estimate,
)
from graphbus_core.participants.llm.participant import LLMParticipant, Progress, Table, Watch, seat
from graphbus_core.participants.llm.wire.model_names import (
    Choice,
    as_with_keys,
    choose_model,
    full_name,
    is_model,
    provider_of,
)
from graphbus_core.participants.llm.wire.usage import BudgetSpent, Spending, Usage
from graphbus_core.participants.llm.words import document, proposal  # noqa: F401 - they register their questions
from graphbus_core.participants.llm.words.registry import Family, Question, register

__all__ = [
    "BudgetSpent",
    "Choice",
    "Estimate",
    "Family",
    "LLMAgent",
    "LLMParticipant",
    "Plan",
    "Progress",
    "Question",
    "Spending",
    "Table",
    "Usage",
    "Watch",
    "as_with_keys",
    "choose_model",
    "estimate",
    "full_name",
    "is_model",
    "provider_of",
    "register",
    "seat",
]
