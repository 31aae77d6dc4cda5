import os

PREFIX = "LAMP_"


def settings(environ=os.environ):
    return {k.removeprefix(PREFIX).lower(): int(v) for k, v in environ.items() if k.startswith(PREFIX)}
