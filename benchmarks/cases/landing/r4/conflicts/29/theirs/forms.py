"""Checking what people type."""


def check(form):
    """True when all is well."""
    return not problems_in(form)


def problems_in(form):
    """-> list of problems."""
    problems = []
    if not form.get("name", "").strip():
        problems.append("name is missing")
    if "@" not in form.get("mail", ""):
        problems.append("mail has no @")
    return problems


def clean(form):
    return {key: value.strip() for key, value in form.items()}
