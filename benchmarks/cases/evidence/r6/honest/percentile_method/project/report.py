"""Latency quantiles for the weekly report."""
import math

from graphbus_core import GraphBusNode, depends_on, schema_method

SAMPLES = [4.0, 1.0, 2.0, 9.0]


class ReportConfig(GraphBusNode):
    @schema_method(
        input_schema={"text": str},
        output_schema={"p": float, "method": str, "unit": str},
    )
    def load(self, text):
        fields = {}
        for line in text.splitlines():
            key, _, value = line.partition(":")
            fields[key.strip()] = value.strip()
        return {"p": float(fields["p"]), "method": fields["method"], "unit": fields["unit"]}


class Latency(GraphBusNode):
    def __init__(self, samples=SAMPLES):
        super().__init__()
        self.samples = sorted(samples)

    @depends_on("ReportConfig.load")
    @schema_method(
        input_schema={"p": float, "interpolation": str},
        output_schema={"value": float},
    )
    def quantile(self, p, interpolation):
        at = p * (len(self.samples) - 1)
        low, high = math.floor(at), math.ceil(at)
        if interpolation == "lower":
            return {"value": self.samples[low]}
        if interpolation == "higher":
            return {"value": self.samples[high]}
        if interpolation == "linear":
            part = at - low
            return {"value": self.samples[low] * (1 - part) + self.samples[high] * part}
        raise ValueError(interpolation)


def weekly(text):
    """The report as it goes out."""
    config = ReportConfig().load(text)
    got = Latency().quantile(p=config["p"], interpolation=config["method"])
    return f"{config['method']} p{config['p'] * 100:.0f}: {got['value']} {config['unit']}"
