class Turbine:
    """A toy for the visitors' centre; its mps are whatever you give."""

    def brake(self, mps):
        return {"brake": mps > 40}
