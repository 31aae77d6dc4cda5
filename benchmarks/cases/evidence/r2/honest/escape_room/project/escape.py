from contextlib import contextmanager

from graphbus_core import GraphBusNode, depends_on, schema_method


class GameMaster(GraphBusNode):
    @schema_method(input_schema={"room": str}, output_schema={"team": str, "minutes": int})
    def start(self, room):
        return {"team": "Foxes", "minutes": 60}


class Camera(GraphBusNode):
    @depends_on("GameMaster.start")
    @schema_method(input_schema={"group": str}, output_schema={"overlay": str})
    def follow(self, group):
        return {"overlay": f"[{group}]"}


@contextmanager
def game(room):
    yield GameMaster().start(room)


def play():
    with game("crypt") as running:
        return Camera().follow(group=running["team"])["overlay"]


if __name__ == "__main__":
    print(play())
