from web.router import route


@route("/login", public=True)
def login(body):
    return "form"


@route("/account")
def account(body):
    return "yours"
