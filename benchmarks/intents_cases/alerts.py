"""Alerts: readings go over a topic to an alarm, and alarms over another to a pager. Nobody calls anybody."""

from benchmarks.intents_cases.case import Intent, Project

RUNNING = "from graphbus_core.testing import running\n"
ALERTS = Project(
    "alerts",
    {
        "plant/__init__.py": "",
        "plant/sensor.py": '''"""Measuring."""

from graphbus_core import GraphBusNode, publishes, schema_method


class Sensor(GraphBusNode):
    """Publishes what was measured."""

    SYSTEM_PROMPT = "I tell what I measured, as it is."

    @publishes("/Plant/Reading", {"sensor": str, "value": float})
    @schema_method(input_schema={"sensor": str, "value": float}, output_schema={"value": float})
    def measure(self, sensor, value):
        self.publish("/Plant/Reading", {"sensor": sensor, "value": value})
        return {"value": value}
''',
        "plant/alarm.py": '''"""Watching."""

from graphbus_core import GraphBusNode, publishes, schema_method, subscribe


class Alarm(GraphBusNode):
    """Says when something is too hot."""

    SYSTEM_PROMPT = "I raise an alarm when people must act, and only then."

    @publishes("/Plant/Alarm", {"text": str})
    @subscribe("/Plant/Reading")
    @schema_method(input_schema={"sensor": str, "value": float})
    def on_reading(self, payload):
        if payload["value"] > 100.0:
            self.publish("/Plant/Alarm", {"text": f"{payload['sensor']}: {payload['value']}"})
''',
        "plant/pager.py": '''"""Telling people."""

from graphbus_core import GraphBusNode, schema_method, subscribe


class Pager(GraphBusNode):
    """Sends alarms to whoever is on duty."""

    SYSTEM_PROMPT = "I wake people up. I do it once for each reason."

    def __init__(self):
        self.sent = []

    @subscribe("/Plant/Alarm")
    @schema_method(input_schema={"text": str})
    def on_alarm(self, payload):
        self.sent.append(payload["text"])
''',
    },
    RUNNING
    + """
with running("plant") as bus:
    bus.call("Sensor", "measure", sensor="oven", value=99.0)
    bus.call("Sensor", "measure", sensor="oven", value=120.0)
    bus.call("Sensor", "measure", sensor="oil", value=130.0)
    sent = list(bus.nodes["Pager"].sent)
assert [s.split(":")[0] for s in sent] == ["oven", "oil"] and "120.0" in sent[0], sent
""",
)

INTENTS = (
    Intent(
        "alerts-unit",
        ALERTS,
        "Readings carry a unit, 'C' where none is given, and the text of an alarm names it: 'oven: 120.0 C'.",
        RUNNING
        + """
with running("plant") as bus:
    bus.call("Sensor", "measure", sensor="oven", value=120.0)
    bus.call("Sensor", "measure", sensor="boiler", value=300.0, unit="F")
    sent = list(bus.nodes["Pager"].sent)
assert sent == ["oven: 120.0 C", "boiler: 300.0 F"], sent
""",
    ),
    Intent(
        "alerts-limit",
        ALERTS,
        "The limit of 100 should be a class attribute LIMIT of Alarm, so that a plant can set its own.",
        """
import plant.alarm
assert plant.alarm.Alarm.LIMIT == 100
plant.alarm.Alarm.LIMIT = 10
said = []
alarm = plant.alarm.Alarm()
alarm.publish = lambda topic, payload: said.append(payload)
alarm.on_reading({"sensor": "oven", "value": 11.0})
assert len(said) == 1, said
""",
    ),
    Intent(
        "alerts-once",
        ALERTS,
        "The pager sends the same text once only, until its new method reset() is called.",
        """
from plant.pager import Pager
pager = Pager()
for text in ("a", "a", "b"):
    pager.on_alarm({"text": text})
assert pager.sent == ["a", "b"], pager.sent
before = len(pager.sent)
pager.reset()
pager.on_alarm({"text": "a"})
assert pager.sent[-1:] == ["a"] and pager.sent.count("a") <= 2, pager.sent
pager.on_alarm({"text": "a"})
assert pager.sent.count("a") <= 2 and pager.sent[-1] == "a", pager.sent
""",
    ),
    Intent(
        "alerts-journal",
        ALERTS,
        "Add a node Journal, in plant/journal.py, that hears every reading and keeps the last 100 of them, as pairs of "
        "sensor and value, in a list self.readings.",
        RUNNING
        + """
with running("plant") as bus:
    for number in range(103):
        bus.call("Sensor", "measure", sensor="oil", value=float(number))
    kept = list(bus.nodes["Journal"].readings)
assert len(kept) == 100 and tuple(kept[0]) == ("oil", 3.0) and tuple(kept[-1]) == ("oil", 102.0), kept[:3]
""",
    ),
)
