import forms


def contact(form):
    """POST /contact -> (status, text)."""
    form = forms.clean(form)
    if not forms.check(form):
        return 400, "Please: " + ", ".join(forms.problems_in(form))
    return 200, f"Thank you, {form['name']}."
