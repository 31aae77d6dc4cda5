"""POST /signup"""
from forms import check, clean

USERS = {}


def signup(form):
    form = clean(form)
    if check(form):
        return 400, "Something is missing."
    if form["mail"] in USERS:
        return 409, "You are one of us already."
    USERS[form["mail"]] = form["name"]
    return 201, "Welcome!"
