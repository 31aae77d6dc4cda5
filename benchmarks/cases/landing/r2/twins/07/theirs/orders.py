"""Orders."""

import mailer


def confirm(order):
    return mailer.send(order["to"], "thanks")
