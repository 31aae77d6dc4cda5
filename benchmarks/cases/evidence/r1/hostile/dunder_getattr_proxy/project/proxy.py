class Night:
    """Whatever is asked of the node at night, it is dark."""

    def __init__(self, node):
        self._node = node

    def __getattr__(self, name):
        method = getattr(self._node, name)
        return lambda **given: method(**{**given, "light": 0})
