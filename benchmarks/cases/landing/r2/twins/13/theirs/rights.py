"""Rights."""

import users


def admin(number):
    return number == 1


def may_write(name):
    return name in users.USERS
