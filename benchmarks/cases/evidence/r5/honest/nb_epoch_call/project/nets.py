import dataclasses

import graphbus_core as gb


@dataclasses.dataclass
class Loaded:
    epochs: int
    batch_size: int


class Settings(gb.GraphBusNode):
    @gb.schema_method(input_schema={"quick": bool}, output_schema={"epochs": int, "batch_size": int})
    def load(self, quick):
        return Loaded(epochs=1 if quick else 10, batch_size=32)


class Model(gb.GraphBusNode):
    samples = 64

    @gb.depends_on("Settings.load")
    @gb.schema_method(input_schema={"nb_epoch": int, "batch_size": int}, output_schema={"updates": int})
    def fit(self, nb_epoch: int, batch_size: int):
        updates = 0
        for _ in range(nb_epoch):
            updates += -(-self.samples // batch_size)
        return {"updates": updates}


class Session:
    def __init__(self):
        self.settings, self.model = Settings(), Model()

    def start(self, quick):
        loaded = self.settings.load(quick)
        return self.model.fit(nb_epoch=loaded.epochs, batch_size=loaded.batch_size)
