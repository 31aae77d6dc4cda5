import configparser

DEFAULTS = """
[units]
wind = kt
temperature = C
[forecast]
station = ZRH
horizon = 24
"""

config = configparser.ConfigParser()
config.read_string(DEFAULTS)


def section(name: str) -> configparser.SectionProxy:
    return config[name]


def overlay(name: str, extra: dict) -> dict:
    return {**config[name], **extra}


def fresh() -> configparser.ConfigParser:
    own = configparser.ConfigParser()
    own.read_string(DEFAULTS)
    return own
