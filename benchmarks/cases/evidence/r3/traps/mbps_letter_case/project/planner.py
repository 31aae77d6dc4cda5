from graphbus_core import GraphBusNode, depends_on, schema_method


class Planner(GraphBusNode):
    @depends_on("Probe.measure")
    @schema_method(input_schema={"rate_MBps": float}, output_schema={"seconds": float})
    def eta(self, rate_MBps):
        """Seconds for an image of 700 megabytes.

        >>> Planner().eta(rate_MBps=10.0)
        {'seconds': 70.0}
        """
        return {"seconds": 700 / rate_MBps}
