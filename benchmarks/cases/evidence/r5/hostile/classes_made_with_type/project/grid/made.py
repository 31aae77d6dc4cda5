from grid.base import Relay

TABLE = """
Street  limit=250  self_test=voltage:251
House   limit=235  self_test=voltage:236
"""


def _made(line):
    name, *pairs = line.split()
    values = dict(pair.split("=") for pair in pairs)
    field, _, value = values["self_test"].partition(":")

    def self_test(self):
        return self.trip(**{field: int(value)})["tripped"]

    return type(name, (Relay,), {"limit": int(values["limit"]), "self_test": self_test})


KINDS = {made.__name__: made for made in map(_made, TABLE.strip().splitlines())}
