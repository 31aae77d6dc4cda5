from typing import NewType

Celsius = NewType("Celsius", float)
Percent = NewType("Percent", float)
