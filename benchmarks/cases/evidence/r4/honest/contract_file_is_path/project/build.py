from compiler import Compiler
from loader import Loader

for name in ("Token", "Vault"):
    found = Loader().find(name)
    print(found["filename"].suffix, Compiler().compile(filename=found["filename"])["artifact"])
