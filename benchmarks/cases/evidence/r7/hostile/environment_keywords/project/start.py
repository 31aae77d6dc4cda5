import os

from pump import Pump

PREFIX = "PUMP_"


def start(environment=os.environ):
    settings = {k.removeprefix(PREFIX).lower(): float(v) for k, v in environment.items() if k.startswith(PREFIX)}
    return Pump().run(**settings)
