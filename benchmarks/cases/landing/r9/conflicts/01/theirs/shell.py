"""The line-oriented front end of the inventory."""
from inventory import Inventory


class Shell:
    def __init__(self, inventory=None):
        self.inventory = inventory or Inventory()

    def execute(self, line):
        words = line.split()
        if not words:
            return ""
        verb, args = words[0], words[1:]
        handler = getattr(self, "do_" + verb, None)
        if handler is None:
            return "unknown command: " + verb
        return handler(*args)

    # -- commands ------------------------------------------------------

    def do_add(self, part, count="1"):
        self.inventory.add(part, int(count))
        return "%s: %d" % (part, self.inventory.count(part))

    def do_rm(self, part):
        return "removed %d %s" % (self.inventory.remove(part), part)

    def do_mv(self, old, new):
        self.inventory.move(old, new)
        return "%s is now %s" % (old, new)

    def do_ls(self):
        return " ".join(self.inventory.parts())
