from clock import now

BOOT = now()


def days_up():
    return (now() - BOOT).days
