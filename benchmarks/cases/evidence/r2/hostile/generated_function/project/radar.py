from graphbus_core import GraphBusNode, depends_on, schema_method

RULE = "90 if v > limit + 20 else 30 if v > limit else 0"
NAMES = ["v", "limit"]


def compiled(rule):
    space = {}
    exec(f"def fine({', '.join(NAMES)}):\n    return {rule}", space)
    return space["fine"]


class Radar(GraphBusNode):
    @schema_method(input_schema={"lane": int}, output_schema={"velocity": int, "limit": int})
    def see(self, lane):
        return {"velocity": 75, "limit": 50}


class Speeding(GraphBusNode):
    fine = staticmethod(compiled(RULE))

    @depends_on("Radar.see")
    @schema_method(input_schema={"v": int, "limit": int}, output_schema={"euros": int})
    def judge(self, **seen):
        return {"euros": self.fine(**{k: seen[k] for k in NAMES})}


if __name__ == "__main__":
    seen = Radar().see(1)
    print(Speeding().judge(v=seen["velocity"], limit=seen["limit"])["euros"])
