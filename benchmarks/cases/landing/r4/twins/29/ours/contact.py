import forms


def contact(form):
    """POST /contact -> (status, text)."""
    form = forms.clean(form)
    if forms.check(form):
        return 400, "Please fill in the form."
    return 200, f"Thank you, {form['name']}."
