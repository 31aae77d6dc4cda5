from graphbus_core import GraphBusNode, depends_on, schema_method

REGISTRY = {}


def preset(cls):
    """Makes a class known to the presets under its name in small letters."""
    REGISTRY[cls.__name__.lower()] = cls
    return cls


@preset
class Exposure(GraphBusNode):
    """Exposure time for a wanted brightness; dark scenes get the longest."""

    numerator = 1000.0

    @depends_on("Camera.snap")
    @schema_method(input_schema={"brightness": float}, output_schema={"ms": float})
    def choose(self, brightness):
        if brightness <= 0:
            return {"ms": self.numerator}
        return {"ms": round(self.numerator / brightness, 2)}
