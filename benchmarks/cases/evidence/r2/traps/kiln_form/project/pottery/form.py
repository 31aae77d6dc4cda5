class Form:
    _c = None

    @property
    def celsius(self):
        return self._c

    @celsius.setter
    def celsius(self, shown):
        self._c = (shown - 32) / 1.8
