import ast
import types

from nozzle import Nozzle

SOURCE = """
base = "spray(share=0.5)"
top = "spray(share=0.125)"
"""
module = types.ModuleType("recipes_of_today")
exec(SOURCE, module.__dict__)
nozzle = Nozzle()
for name in ("base", "top"):
    call = ast.parse(getattr(module, name), mode="eval").body
    arguments = {word.arg: word.value.value for word in call.keywords}
    print(name, getattr(nozzle, call.func.id)(**arguments))
print(nozzle.used)
