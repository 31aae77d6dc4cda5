from importlib import import_module

from storage import Storage
from uploads import Uploads

PLUGINS = ["plugins.clean:CleanStorage"]


def load(path):
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)()


part = Uploads().receive("../x.txt=hello")
for storage in [Storage(), *map(load, PLUGINS)]:
    print(storage.save(name=part["filename"], size=part["size"])["path"])
