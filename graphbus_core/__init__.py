"""GraphBus: components negotiate the contracts between them, and every agreement is proved before it becomes code."""

__version__ = "0.1.0"
