from web import route


@route("/")
def home(user):
    return "welcome"


@route("/account")
def account(user):
    return "account of " + user
