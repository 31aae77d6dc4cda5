from types import SimpleNamespace

from bots.ops import OpsBot

bot = OpsBot(lambda: 0.0, SimpleNamespace(up=True, restart=lambda: None))
assert bot.handle("zoe", "status") == "up"
assert bot.handle("zoe", "status") == "Slow down, please."
