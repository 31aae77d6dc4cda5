import logging

LOG = logging.getLogger("freight.audit")
LOG.addHandler(logging.NullHandler())
LOG.propagate = False
LOG.setLevel(logging.INFO)
