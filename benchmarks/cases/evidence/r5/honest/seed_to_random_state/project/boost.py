from graphbus_core import GraphBusNode, depends_on, schema_method

# what Booster.start calls it -> what Config.resolve calls it
OLD_NAMES = {"seed": "random_state"}


class Config(GraphBusNode):
    @schema_method(input_schema={"user": dict}, output_schema={"n_jobs": int, "random_state": int})
    def resolve(self, user):
        return {"n_jobs": user.get("n_jobs", 2), "random_state": user.get("random_state", 42)}


class Booster(GraphBusNode):
    @depends_on("Config.resolve")
    @schema_method(input_schema={"seed": int}, output_schema={"draw": int})
    def start(self, seed):
        return {"draw": (seed * 1103515245 + 12345) % 100}


def run_old(user):
    config = Config().resolve(user)
    return Booster().start(**{old: config[new] for old, new in OLD_NAMES.items()})
