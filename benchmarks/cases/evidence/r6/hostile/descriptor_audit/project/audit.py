"""Writes down what the auditors want to see."""
from functools import wraps

AUDITED = "balance,teller"
JOURNAL = []


def audited(function):
    @wraps(function)
    def wrapper(*args, **kwargs):
        result = function(*args, **kwargs)
        JOURNAL.append({key: result[key] for key in AUDITED.split(",") if key in result})
        return result
    return wrapper
