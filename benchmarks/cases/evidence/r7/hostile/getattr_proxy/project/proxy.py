class Anyone:
    """Calls the first of these nodes that can do it."""

    def __init__(self, *nodes):
        self._nodes = nodes

    def __getattr__(self, name):
        for node in self._nodes:
            if name in vars(type(node)):
                return getattr(node, name)
        raise AttributeError(name)
