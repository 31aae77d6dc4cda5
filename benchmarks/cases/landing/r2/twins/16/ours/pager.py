"""Pages."""

import settings


def title():
    return settings.NAME
