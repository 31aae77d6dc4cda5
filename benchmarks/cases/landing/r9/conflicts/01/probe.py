from macros import play
from shell import Shell

shell = Shell()
shell.execute("add m5 3")
play(shell, "replace", "m5", "m6", "20")
assert shell.inventory.parts() == ["m6"], shell.inventory.parts()
