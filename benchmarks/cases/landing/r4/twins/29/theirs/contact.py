import forms


def contact(form):
    """POST /contact -> (status, text)."""
    form = forms.clean(form)
    problems = forms.check(form)
    if problems:
        return 400, problems.sentence()
    return 200, f"Thank you, {form['name']}."
