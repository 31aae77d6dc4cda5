"""Rights."""

import users


def admin(number):
    return number == 1
