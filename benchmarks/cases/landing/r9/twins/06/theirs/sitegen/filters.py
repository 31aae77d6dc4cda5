"""Filters for templates: {{ title | upper }}.

A filter is named by `module:function` and imported when it is first used, so
that a site pays only for what its templates ask for.
"""
import re
from importlib import import_module

FILTERS = {
    "title": "sitegen.text:titlecase",
    "slug": "sitegen.text:slugify",
    "escape": "html:escape",
}

_HOLE = re.compile(r"\{\{\s*(\w+)\s*(?:\|\s*(\w+)\s*)?\}\}")


def find(name):
    module, _, function = FILTERS[name].partition(":")
    return getattr(import_module(module), function)


def fill(template, values):
    def put(hole):
        value = str(values[hole.group(1)])
        return find(hole.group(2))(value) if hole.group(2) else value

    return _HOLE.sub(put, template)
