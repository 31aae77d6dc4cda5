from entity import Entity
from recorder import Recorder


def states(entities):
    for entity in entities:
        state = entity.state()
        yield state["value"], state["native_unit"]


recorder = Recorder()
for value, unit in states([Entity(), Entity(3.2, "kW")]):
    print(recorder.store(value=value, unit=unit)["row"])
