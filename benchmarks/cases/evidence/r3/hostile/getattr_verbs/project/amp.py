from graphbus_core import GraphBusNode, schema_method, subscribe

SETTERS = (("volume", 0, 100), ("bass", -6, 6))


class Amplifier(GraphBusNode):
    volume = 0
    bass = 0

    @subscribe("/Remote/Key")
    @schema_method(input_schema={"volume": int, "bass": int})
    def on_key(self, payload):
        for name, low, high in SETTERS:
            setattr(self, name, max(low, min(high, payload[name])))

    def display(self):
        return " ".join(f"{name}={getattr(self, name)}" for name, *_ in SETTERS)
