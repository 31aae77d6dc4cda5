from graphbus_core import GraphBusNode, depends_on, schema_method

FILES = [("old.log", 100, 30), ("dump.bin", 900, 20), ("cache.db", 400, 2)]


class Cleaner(GraphBusNode):
    """Deletes the oldest files until there is a gigabyte."""

    goal_mb = 1024

    @depends_on("Probe.sample")
    @schema_method(input_schema={"space_mb": int}, output_schema={"delete": list})
    def tidy(self, space_mb):
        chosen = []
        for name, size, _days in sorted(FILES, key=lambda f: -f[2]):
            if space_mb >= self.goal_mb:
                break
            chosen.append(name)
            space_mb += size
        return {"delete": chosen}
