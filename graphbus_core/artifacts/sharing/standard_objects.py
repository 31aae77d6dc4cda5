"""What stands under a dotted name in Python's own library: it is looked up there, not listed here.

Errors, constants and members of enumerations are what they are. Any other class or function of a module of `MODULES`
is *known of*: the modules keep nothing of a call, and write nothing outside, but a function may give, change, keep or
call what it is given. So what it is given must be of this event, and what it gives is a thing of its own.
"""

from __future__ import annotations

import contextlib
import enum
import importlib
import re
import types
from collections.abc import Iterable
from functools import cache
from typing import Any

from graphbus_core.artifacts.sharing.values import PLAIN, TEXT, WHOLE, Value
from graphbus_core.module_origin import is_standard

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
        *("plistlib", "tarfile", "xml.sax.handler"),
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
        *("pprint.pprint", "pprint.pp", "tarfile.open", "tarfile.TarFile", "tarfile.main"),
    ]
)
_TABLES = frozenset(
    [
        *("calendar.day_name", "calendar.day_abbr", "calendar.month_name", "calendar.month_abbr"),
        *("http.client.responses", "os.environ"),  # whoever writes into it calls a method
    ]
)
_OTHERS = ("builtins", "typing", "typing_extensions", "graphbus", "graphbus_core")  # these are judged by their names
_STREAMS = ("sys.stdout", "sys.stderr")  # may be read here; whoever writes into them calls a method
_CONSTANTS = (str, bytes, int, float, complex, type(None), range, enum.Enum, re.Pattern)
MISSING = object()
_FIXED, _MADE_LATE = 1 << 8, 1 << 9  # Py_TPFLAGS_IMMUTABLETYPE and _HEAPTYPE


@cache
def look_up(name: str) -> Any:
    """The object under a dotted name, where its module is one of these."""
    words = name.split(".")
    for cut in range(len(words) - 1, 0, -1):
        if (module := ".".join(words[:cut])) not in MODULES:
            continue
        try:
            return _walk(importlib.import_module(module), words[cut:])
        except (ImportError, AttributeError):
            return MISSING
    return MISSING


def _walk(target: Any, words: Iterable[str]) -> Any:
    """What stands there under these names. What an object holds that can be changed may be another one next time."""
    for word in words:
        if not isinstance(target, type | types.ModuleType) and not _is_immutable(target):
            return MISSING
        target = getattr(target, word)
    return target


@cache
def is_kept(name: str) -> bool:
    """Whether an object may hold something there that an event changes: all but constants, functions and classes."""
    return name not in _STREAMS and not is_table(name) and is_data(name)


@cache
def is_data(name: str) -> bool:
    """Whether it is somebody else's object that can be changed: no constant, function, class or module."""
    if name.partition(".")[0] in _OTHERS or find_constant(name) is not None:
        return False
    target = _find(name)
    if callable(target) or isinstance(target, types.ModuleType):
        return False
    is_mark = type(target).__bases__ == (object,) and getattr(target, "__dict__", None) == {}  # `dataclasses.MISSING`
    return not is_mark and not _is_immutable(target)


def _find(name: str) -> Any:
    """What stands under a name in any module of the library."""
    words = name.split(".")
    if (not is_standard(name) and words[0] != "pydantic") or words[0] in ("this", "antigravity"):  # these act
        return MISSING
    for cut in range(len(words), 0, -1):
        with contextlib.suppress(ImportError):
            module = importlib.import_module(".".join(words[:cut]))
            with contextlib.suppress(AttributeError):
                return _walk(module, words[cut:])
            return MISSING
    return MISSING


@cache
def is_table(name: str) -> bool:
    """Whether it is a table of constants, which nothing in the library changes."""
    if name in _TABLES:
        return True
    module, _, last = name.rpartition(".")
    if module not in MODULES - _ERRORS_ALONE or last.startswith("_"):
        return False
    target = look_up(name)
    if isinstance(target, dict):
        return all(map(_is_immutable, (*target, *target.values())))
    return isinstance(target, list) and all(map(_is_immutable, target))


@cache
def is_fixed_type(name: str) -> bool:
    """Whether it is a class written in C, of which nobody can set anything: its objects are made, and no more."""
    target = look_up(name)
    return isinstance(target, type) and (target.__flags__ & _MADE_LATE == 0 or target.__flags__ & _FIXED != 0)


@cache
def find_constant(name: str) -> Value | None:
    """What a name stands for that is an immutable constant."""
    target = look_up(name)
    if not _is_immutable(target):
        return None
    if isinstance(target, enum.Enum | bool):
        return PLAIN
    if isinstance(target, str | bytes):
        return frozenset((TEXT,))
    return frozenset((WHOLE,)) if isinstance(target, int) else PLAIN


def _is_immutable(target: object) -> bool:
    if isinstance(target, tuple | frozenset):
        return all(map(_is_immutable, target))
    kinds: tuple[type, ...] = _CONSTANTS + list_plain_kinds()
    return isinstance(target, kinds) or type(target).__module__ in ("email.policy", "email._policybase")


@cache
def list_plain_kinds() -> tuple[type, ...]:
    """Kinds of numbers, texts, dates and the like: nothing can change an object of theirs."""
    import datetime  # late, as those below: most builds ask for none of it
    import ipaddress
    import statistics
    import string
    import struct
    import time
    import urllib.parse
    import uuid
    from decimal import Decimal
    from fractions import Fraction

    found = (v for module in (ipaddress, urllib.parse) for v in vars(module).values() if isinstance(v, type))
    of_modules = (kind for kind in found if not issubclass(kind, dict | list | set))  # `urllib.parse._Quoter`
    return (
        *(str, bytes, int, float, complex, bool, tuple, frozenset, range, Decimal, Fraction, uuid.UUID),
        *(re.Pattern, re.Match, datetime.datetime, datetime.date, datetime.time, datetime.timedelta, datetime.timezone),
        *(struct.Struct, string.Template, string.Formatter, BaseException, time.struct_time, statistics.NormalDist),
        *of_modules,
    )


@cache
def is_error(name: str) -> bool:
    """Whether it is one of the library's exceptions."""
    target = look_up(name)
    return isinstance(target, type) and issubclass(target, BaseException)


@cache
def is_enumeration(name: str) -> bool:
    """Whether it is a class of constants: what it gives for a value is one of them."""
    target = look_up(name)
    return isinstance(target, type) and issubclass(target, enum.Enum)


@cache
def is_immutable_kind(name: str) -> bool:
    """Whether it is a class of texts, numbers, dates and the like, no method of which changes anything."""
    target = look_up(name)
    return isinstance(target, type) and issubclass(target, list_plain_kinds()) and not issubclass(target, BaseException)


@cache
def can_be_called(name: str) -> bool:
    """Whether an object that this class of the library makes may be called; so it is where that is not known."""
    target = look_up(name)
    return not isinstance(target, type) or "__call__" in dir(target)


@cache
def is_known_of(name: str) -> bool:
    """Whether it is a class or function of a module that keeps nothing of a call."""
    if name in _NOT_KNOWN or any(name.startswith(f"{module}.") for module in _ERRORS_ALONE):
        return False
    target = look_up(name)
    if isinstance(target, types.MethodType) and hasattr(type(target.__self__), target.__name__):
        return False  # of a metaclass: it may change the class, as `register` does
    return isinstance(target, type | types.FunctionType | types.BuiltinFunctionType | types.MethodType)


def is_known_class(name: str) -> bool:
    """Whether it is a class that is known of."""
    return is_known_of(name) and isinstance(look_up(name), type)


@cache
def may_be_called(name: str) -> bool:
    """Whether it is a function or a class of the library, or may be one."""
    target = _find(name)
    return target is MISSING or callable(target)


def is_method(name: str, bases: Iterable[str]) -> bool:
    """Whether one of these classes has a method of that name."""
    return any(isinstance(kind := look_up(base), type) and callable(getattr(kind, name, None)) for base in bases)


@cache
def may_have(name: str, attribute: str) -> bool:
    """Whether objects of that class may have an attribute of that name; so it is where the class is not known."""
    target = look_up(name)
    return not isinstance(target, type) or hasattr(target, attribute) or is_enumeration(name)
