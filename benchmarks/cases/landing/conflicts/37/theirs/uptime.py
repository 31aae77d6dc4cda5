from clock import START, now


def days_up():
    return (now() - START).days
