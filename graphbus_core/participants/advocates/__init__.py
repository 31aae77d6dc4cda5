"""Rule advocates: seats of a consent negotiation that need no model, and see nothing but what is said.

An advocate knows its own preferences and what stands in the question. Its words carry no score, no rank and no
minimum: which packages it could live with, which would serve it well, and what it offers and wants in return.
"""

from graphbus_core.participants.advocates.rule_advocate import RuleAdvocate

__all__ = ["RuleAdvocate"]
