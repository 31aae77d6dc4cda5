"""Checking what people type."""


def check(form):
    """-> list of problems, empty when all is well."""
    problems = []
    if not form.get("name", "").strip():
        problems.append("name is missing")
    if "@" not in form.get("mail", ""):
        problems.append("mail has no @")
    return problems


def clean(form):
    return {key: value.strip() for key, value in form.items()}
