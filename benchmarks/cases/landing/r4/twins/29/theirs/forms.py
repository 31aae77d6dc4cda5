"""Checking what people type."""


class Problems(list):
    def sentence(self):
        return "Please: " + ", ".join(self)


def check(form):
    """-> Problems, empty when all is well."""
    problems = Problems()
    if not form.get("name", "").strip():
        problems.append("name is missing")
    if "@" not in form.get("mail", ""):
        problems.append("mail has no @")
    return problems


def clean(form):
    return {key: value.strip() for key, value in form.items()}
