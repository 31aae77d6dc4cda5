import configparser
from pathlib import Path

from press import Press

ini = configparser.ConfigParser()
ini.read(Path(__file__).with_name("formulas.ini"))
press = Press()
for step in (0, 2):
    names = press.cycle(step)
    for name, formula in ini["formulas"].items():
        print(name, round(eval(formula, {"__builtins__": {}}, names), 3))
