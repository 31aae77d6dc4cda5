from web import route

ORDERS = [("ann", 12), ("bob", 30)]


@route("/export")
def export(user):
    """All the orders, for the people in the office."""
    return "\n".join("%s;%d" % order for order in ORDERS)
