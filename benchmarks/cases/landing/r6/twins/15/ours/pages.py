from web import login_required, route


@route("/")
def home(user):
    return "welcome"


@route("/account")
@login_required
def account(user):
    return "account of " + user
