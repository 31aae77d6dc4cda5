"""What stands under a dotted name in Python's own library: it is looked up there, not listed here.

Errors, constants and members of enumerations are what they are. Any other class or function of a module of `MODULES`
is *known of*: the modules keep nothing of a call, and write nothing outside, but a function may give, change, keep or
call what it is given. So what it is given must be of this event, and what it gives is a thing of its own.
"""

from __future__ import annotations

import enum
import importlib
import re
import types
from functools import cache
from typing import Any

from graphbus_core.artifacts.sharing.values import PLAIN, TEXT, WHOLE, Value

MODULES = frozenset(
    [
        *("array", "ast", "base64", "binascii", "bisect", "bz2", "calendar", "cmath", "codecs", "collections"),
        *("collections.abc", "colorsys", "configparser", "copy", "csv", "dataclasses", "datetime", "decimal"),
        *("difflib", "email", "email.charset", "email.errors", "email.header", "email.headerregistry", "email.message"),
        *("email.mime.application", "email.mime.base", "email.mime.multipart", "email.mime.text", "email.parser"),
        *("email.policy", "email.utils", "enum", "errno", "fnmatch", "fractions", "getopt", "graphlib", "gzip"),
        *("hashlib", "heapq", "hmac", "html", "html.entities", "html.parser", "http", "http.cookies", "io"),
        *("ipaddress", "itertools", "json", "json.decoder", "json.encoder", "keyword", "logging", "lzma", "math"),
        *("mimetypes", "numbers", "operator", "optparse", "pprint", "queue", "quopri", "re", "reprlib", "sched"),
        *("secrets", "shlex", "signal", "socket", "sqlite3", "stat", "statistics", "string", "stringprep", "struct"),
        *("textwrap", "time", "timeit", "token", "tokenize", "tomllib", "traceback", "types", "unicodedata"),
        *("urllib.error", "urllib.parse", "uuid", "xml.dom", "xml.dom.minidom", "xml.etree.ElementTree"),
        *("xml.parsers.expat", "xml.sax", "xml.sax.saxutils", "zipfile", "zlib", "zoneinfo", "argparse", "asyncio"),
        *("concurrent.futures", "subprocess", "contextlib", "functools", "typing", "threading", "builtins"),
    ]
)
# Of these, what keeps something in the module, or reaches the outside, is too much to tell apart by a name.
_ERRORS_ALONE = frozenset(
    [
        *("asyncio", "concurrent.futures", "subprocess", "sqlite3", "threading", "socket", "signal", "logging"),
        *("builtins", "typing", "functools", "contextlib", "copy", "zipfile", "mimetypes", "uuid", "time", "types"),
        *("secrets", "tokenize", "email.charset"),
    ]
)
# They set what every later call sees, open files, or read the time.
_NOT_KNOWN = frozenset(
    [
        *("calendar.setfirstweekday", "calendar.prmonth", "codecs.open", "codecs.register", "codecs.register_error"),
        *("codecs.unregister", "csv.register_dialect", "csv.unregister_dialect", "csv.field_size_limit"),
        *("csv.get_dialect", "csv.list_dialects", "decimal.getcontext", "decimal.setcontext", "io.open"),
        *("io.open_code", "io.FileIO", "bz2.open", "bz2.BZ2File", "gzip.open", "gzip.GzipFile", "lzma.open"),
        *("lzma.LZMAFile", "xml.etree.ElementTree.register_namespace", "xml.etree.ElementTree.parse"),
        *("xml.etree.ElementTree.iterparse", "xml.etree.ElementTree.dump", "xml.dom.registerDOMImplementation"),
        *("xml.dom.minidom.parse", "xml.sax.parse", "xml.sax.make_parser", "re.purge", "urllib.parse.clear_cache"),
        *("traceback.print_exc", "decimal.DefaultContext", "decimal.BasicContext", "decimal.ExtendedContext"),
        *("zoneinfo.reset_tzpath", "email.utils.make_msgid", "email.utils.localtime", "email.utils.formatdate"),
        *("datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today", "datetime.date.today"),
        *("fnmatch.purge", "sched.scheduler", "argparse.FileType", "getopt.error", "json.load", "json.dump"),
        *("pprint.pprint", "pprint.pp"),
    ]
)
_CONSTANTS = (str, bytes, int, float, complex, type(None), range, enum.Enum, re.Pattern)
MISSING = object()


@cache
def look_up(name: str) -> Any:
    """The object under a dotted name, where its module is one of these."""
    words = name.split(".")
    for cut in range(len(words) - 1, 0, -1):
        if (module := ".".join(words[:cut])) not in MODULES:
            continue
        try:
            found: Any = importlib.import_module(module)
            for word in words[cut:]:
                found = getattr(found, word)
        except (ImportError, AttributeError):
            return MISSING
        return found
    return MISSING


@cache
def find_constant(name: str) -> Value | None:
    """What a name stands for that is an immutable constant."""
    found = look_up(name)
    if not _is_immutable(found):
        return None
    if isinstance(found, enum.Enum | bool):
        return PLAIN
    if isinstance(found, str | bytes):
        return frozenset((TEXT,))
    return frozenset((WHOLE,)) if isinstance(found, int) else PLAIN


def _is_immutable(found: object) -> bool:
    if isinstance(found, tuple | frozenset):
        return all(map(_is_immutable, found))
    return isinstance(found, _CONSTANTS) or type(found).__module__ in ("email.policy", "email._policybase")


@cache
def is_error(name: str) -> bool:
    """Whether it is one of the library's exceptions."""
    found = look_up(name)
    return isinstance(found, type) and issubclass(found, BaseException)


@cache
def is_enumeration(name: str) -> bool:
    """Whether it is a class of constants: what it gives for a value is one of them."""
    found = look_up(name)
    return isinstance(found, type) and issubclass(found, enum.Enum)


@cache
def can_be_called(name: str) -> bool:
    """Whether an object that this class of the library makes may be called; so it is where that is not known."""
    found = look_up(name)
    return not isinstance(found, type) or "__call__" in dir(found)


@cache
def is_known_of(name: str) -> bool:
    """Whether it is a class or function of a module that keeps nothing of a call."""
    if name in _NOT_KNOWN or any(name.startswith(f"{module}.") for module in _ERRORS_ALONE):
        return False
    return isinstance(look_up(name), type | types.FunctionType | types.BuiltinFunctionType | types.MethodType)
