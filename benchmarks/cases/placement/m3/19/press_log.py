import logging

log = logging.getLogger("pressroom")
log.addHandler(logging.NullHandler())
log.propagate = False


def chatty():
    return log.isEnabledFor(logging.DEBUG)
