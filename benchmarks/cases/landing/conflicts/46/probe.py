from spell import Spell
assert Spell(lang='de').language()
