"""`[tool.graphbus]` of `pyproject.toml`: what holds for a project, and where each value comes from.

    known       the table of settings: name, type, default, environment variable, what it does
    read        a `pyproject.toml` -> values with their lines; an unknown key is an error with the nearest name
    effective   flags over environment over file over default

Who uses a setting asks `effective(folder)` once; nothing else of the program reads that file.
"""

from graphbus_core.settings.definitions import KNOWN, Setting
from graphbus_core.settings.effective import Settings, load_settings

__all__ = ["KNOWN", "Setting", "Settings", "load_settings"]
