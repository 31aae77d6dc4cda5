from alerts.escalate import escalate
from alerts.mailer import Mailer

box = []


def transport(to, text):
    if to == "ada":
        return False
    box.append(to)
    return True


who = escalate(Mailer(transport), ["ada", "bob"], {"id": "1", "what": "fire", "host": "h"})
assert who == "bob" and box == ["bob"], (who, box)
