from web.router import route


@route("/login")
def login(body):
    return "form"


@route("/account", public=False)
def account(body):
    return "yours"
