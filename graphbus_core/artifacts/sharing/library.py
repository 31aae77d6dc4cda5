"""What is known of Python's own library: what a function gives, and which of its arguments it changes.

This is a list of what is allowed. What does not stand here may do anything, and a node that calls it while it handles
an event is not shown to keep nothing. A name that stands here promises: it changes nothing but the arguments named,
keeps none of them, and gives something new, something immutable, or (part of) what it was given.
"""

from __future__ import annotations

import collections
import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache

from graphbus_core.artifacts.sharing import standard_objects
from graphbus_core.artifacts.sharing.values import (
    DATE,
    FLAG,
    FLOAT,
    MATCH,
    MOMENT,
    PATTERN,
    SPAN,
    TEXT,
    WHOLE,
    Immutable,
    Value,
)


@dataclass(frozen=True)
class Effect:
    """What a call does. `gives`: plain (immutable), copy (a new container of the same parts), parts (a new container,
    one of the parts, or an argument), iterator, data (all new), object (a mutable thing of its own).

    `changes`: the argument that is changed. `steady`: the same arguments always give the same. `wary`: it may change or
    keep what it is given.
    """

    gives: str
    changes: int | None = None
    steady: bool = True
    wary: bool = False


def _list(gives: str, prefix: str, names: str, *, changes: int | None = None, steady: bool = True) -> dict[str, Effect]:
    return {f"{prefix}{name}": Effect(gives, changes, steady) for name in names.split()}


def _name(prefix: str, names: str) -> list[str]:
    return [f"{prefix}{name}" for name in names.split()]


_PLAIN_BUILTINS = (
    "len str int float bool complex bytes range abs round all any isinstance issubclass repr ascii ord chr "
    "divmod pow format bin hex oct callable hasattr object"
)
EFFECTS: dict[str, Effect] = {
    **_list("plain", "builtins.", _PLAIN_BUILTINS),
    **_list("copy", "builtins.", "list dict set tuple sorted bytearray frozenset"),
    **_list("parts", "builtins.", "max min sum slice"),
    **_list("iterator", "builtins.", "zip map filter enumerate reversed"),
    **_list("plain", "builtins.", "print hash id", steady=False),
    # collections
    **_list("copy", "collections.", "deque OrderedDict Counter defaultdict ChainMap"),
    **_list("copy", "types.", "SimpleNamespace MappingProxyType"),
    **_list("object", "logging.", "LogRecord", steady=False),
    **_list("plain", "logging.", "debug info warning error exception critical log", steady=False),
    # Of its own: `getLogger` gives what all share.
    **_list("object", "logging.", "Logger StreamHandler Formatter"),
    **_list("object", "mimetypes.", "MimeTypes"),
    # changed in place
    **_list("parts", "heapq.", "heappush heappop heapify heapreplace heappushpop", changes=0),
    **_list("parts", "bisect.", "insort insort_left insort_right", changes=0),
    **_list("plain", "bisect.", "bisect bisect_left bisect_right"),
    **_list("copy", "heapq.", "nlargest nsmallest"),
    **_list("iterator", "heapq.", "merge"),
    **_list("data", "copy.", "deepcopy", changes=1),  # its memo
    **_list("data", "dataclasses.", "asdict astuple"),
    **_list("plain", "dataclasses.", "is_dataclass"),
    **_list("data", "json.", "loads load"),
    **_list("plain", "json.", "dumps"),
    **_list("plain", "xmlrpc.client.", "dumps"),
    **_list("data", "xmlrpc.client.", "loads"),
    **_list("data", "tomllib.", "loads"),
    **_list("data", "ast.", "literal_eval"),
    **_list("plain", "re.", "compile match fullmatch search sub subn escape"),
    **_list("copy", "re.", "split findall"),
    **_list("copy", "statistics.", "multimode quantiles"),
    **_list("copy", "textwrap.", "wrap"),
    **_list("object", "textwrap.", "TextWrapper"),
    **_list("data", "urllib.parse.", "parse_qs parse_qsl"),
    **_list("copy", "shlex.", "split"),
    **_list("object", "shlex.", "shlex"),
    **_list("copy", "fnmatch.", "filter"),
    **_list("iterator", "re.", "finditer"),
    **_list("parts", "functools.", "reduce"),
    # `i…`, setitem and delitem change their first argument
    **_list(
        "parts",
        "operator.",
        "add sub mul truediv floordiv mod neg pos and_ or_ xor eq ne lt le gt ge not_ truth contains countOf indexOf "
        "getitem is_ is_not concat index invert lshift rshift pow abs matmul length_hint",
    ),
    **_list("parts", "operator.", "setitem delitem iadd iand iconcat ior ixor isub imul", changes=0),
    **_list("plain", "hashlib.", "file_digest", steady=False),
    **_list("object", "hashlib.", "md5 sha1 sha224 sha256 sha384 sha512 sha3_256 sha3_512 blake2b blake2s new"),
    **_list("object", "urllib.request.", "urlopen Request", steady=False),  # what it asks is the same for all processes
    **_list("object", "hmac.", "new HMAC"),
    **_list("plain", "hmac.", "digest compare_digest"),
    **_list("object", "zlib.", "compressobj decompressobj"),
    **_list("plain", "zlib.", "compress decompress crc32 adler32"),
    **_list("plain", "gzip.", "compress decompress"),
    **_list("plain", "bz2.", "compress decompress"),
    **_list("plain", "lzma.", "compress decompress"),
    **_list("object", "io.", "StringIO BytesIO TextIOWrapper"),
    **_list("object", "csv.", "writer DictWriter"),
    **_list("iterator", "csv.", "reader DictReader"),
    **_list("object", "random.", "Random"),  # the functions of the module share one state, and are not here
    **_list("object", "difflib.", "SequenceMatcher Differ"),
    **_list("copy", "difflib.", "get_close_matches"),
    **_list("iterator", "difflib.", "unified_diff context_diff ndiff"),
    **_list("plain", "time.", "time time_ns monotonic monotonic_ns perf_counter perf_counter_ns", steady=False),
    **_list("plain", "time.", "sleep", steady=False),
    **_list("plain", "time.", "strftime gmtime localtime mktime strptime ctime asctime", steady=False),
    **_list("plain", "uuid.", "uuid4", steady=False),
    **_list("plain", "uuid.", "UUID uuid3 uuid5 NAMESPACE_DNS NAMESPACE_URL NAMESPACE_OID"),
    **_list("plain", "secrets.", "token_hex token_bytes token_urlsafe randbelow choice compare_digest", steady=False),
    **_list("parts", "os.", "getenv", steady=False),
    **_list("plain", "os.", "getpid cpu_count urandom fspath", steady=False),
    **_list("plain", "os.path.", "join basename dirname splitext normpath split isabs commonprefix commonpath"),
    **_list("plain", "os.path.", "exists isfile isdir getsize abspath", steady=False),
    **_list("data", "os.", "listdir", steady=False),
    **_list("plain", "shutil.", "which", steady=False),
    **_list("plain", "asyncio.", "sleep", steady=False),
    **_list("parts", "asyncio.", "gather wait_for shield create_task as_completed", steady=False),
    **_list("object", "asyncio.", "TaskGroup timeout", steady=False),
    **_list("parts", "asyncio.", "to_thread", steady=False),
    **_list("plain", "asyncio.", "iscoroutine iscoroutinefunction"),
    **_list("parts", "inspect.", "iscoroutinefunction isawaitable iscoroutine isfunction"),
    **_list("object", "contextlib.", "suppress nullcontext closing ExitStack AsyncExitStack"),
    **_list("object", "contextlib.", "redirect_stdout redirect_stderr", steady=False),
    **_list("object", "decimal.", "localcontext"),
    **_list("object", "contextvars.", "ContextVar"),
    **_list("plain", "decimal.", "Decimal"),
    **_list("plain", "fractions.", "Fraction"),
    **_list("plain", "datetime.datetime.", "now utcnow today", steady=False),
    **_list("plain", "datetime.date.", "today", steady=False),
    **_list("plain", "zoneinfo.", "ZoneInfo"),
    **_list("plain", "enum.", "auto"),
    **_list("plain", "struct.", "pack unpack calcsize Struct unpack_from"),
    **_list("parts", "typing.", "cast"),
    **_list("plain", "typing.", "TypeVar ParamSpec"),
    **_list("parts", "typing.", "get_args"),
    **_list("plain", "typing.", "assert_never get_origin is_typeddict"),
    **_list("parts", "typing.", "assert_type reveal_type"),
    **_list("plain", "string.", "Template capwords Formatter"),
    **_list("copy", "email.utils.", "parseaddr"),
    **_list("data", "xml.etree.ElementTree.", "fromstring Element"),
    **_list("plain", "xml.etree.ElementTree.", "tostring"),
    **_list("plain", "graphbus_core.", "Topic Alias Event GraphBusNode"),
    # objects of their own, made anew by each call
    **_list("object", "zipfile.", "ZipInfo"),
    **_list("object", "queue.", "Queue LifoQueue PriorityQueue SimpleQueue"),
    **_list("object", "threading.", "Lock RLock Condition Semaphore BoundedSemaphore Event Barrier local"),
    **_list("object", "concurrent.futures.", "ThreadPoolExecutor"),
    **_list("object", "asyncio.", "Lock Event Condition Semaphore BoundedSemaphore Queue LifoQueue PriorityQueue"),
    **_list("parts", "asyncio.", "wait ensure_future timeout_at"),
    **_list("parts", "concurrent.futures.", "wait as_completed"),
    **_list("object", "graphlib.", "TopologicalSorter"),
    **_list("object", "configparser.", "ConfigParser RawConfigParser"),
    **_list("object", "email.message.", "EmailMessage Message"),
    **_list("plain", "email.headerregistry.", "Address Group"),
    **_list("object", "email.mime.text.", "MIMEText"),
    **_list("object", "email.mime.multipart.", "MIMEMultipart"),
    **_list("object", "email.", "message_from_string message_from_bytes"),
    **_list("plain", "email.utils.", "formataddr format_datetime parsedate_to_datetime formatdate"),
    **_list("copy", "email.utils.", "getaddresses parseaddr"),
    **_list("parts", "email.utils.", "quote unquote"),
    **_list("object", "http.cookies.", "SimpleCookie"),
    **_list("object", "array.", "array"),
    **_list("object", "weakref.", "WeakKeyDictionary WeakValueDictionary WeakSet"),
    **_list("object", "argparse.", "ArgumentParser"),
    **_list("object", "socket.", "socket", steady=False),
    **_list("copy", "argparse.", "Namespace"),
    **_list("object", "tempfile.", "TemporaryFile SpooledTemporaryFile NamedTemporaryFile", steady=False),
    **_list("object", "json.", "JSONEncoder JSONDecoder"),
    **_list("object", "pprint.", "PrettyPrinter"),
    **_list("plain", "pprint.", "pformat saferepr"),
    **_list("plain", "reprlib.", "repr"),
    **_list(
        "object",
        "ast.",
        "parse Module Expression Name Constant Call BinOp Load Store NodeVisitor fix_missing_locations",
    ),
    **_list("plain", "ast.", "unparse dump get_docstring"),
    **_list("parts", "ast.", "walk iter_child_nodes iter_fields"),
    **_list("iterator", "tokenize.", "generate_tokens tokenize"),
    **_list("object", "xml.etree.ElementTree.", "ElementTree TreeBuilder XMLParser"),
    **_list("data", "xml.etree.ElementTree.", "SubElement", changes=0),
    **_list("plain", "xml.etree.ElementTree.", "indent", changes=0),
    **_list("object", "xml.dom.minidom.", "parseString Document"),
    **_list("plain", "xml.sax.saxutils.", "escape unescape quoteattr"),
    **_list("plain", "calendar.", "monthrange isleap leapdays weekday timegm"),
    **_list("object", "calendar.", "Calendar TextCalendar HTMLCalendar"),
    **_list("plain", "mimetypes.", "guess_type guess_extension"),
    **_list("object", "decimal.", "Context"),
    **_list("plain", "struct.", "pack_into", changes=1),
    **_list("iterator", "struct.", "iter_unpack"),
    **_list("object", "zlib.", "decompressobj"),
    **_list("copy", "zoneinfo.", "available_timezones"),
    **_list("plain", "inspect.", "cleandoc getdoc isclass ismethod isgenerator"),
    **_list("data", "pickle.", "dumps"),
    **_list("data", "marshal.", "dumps loads"),
    **_list("data", "string.templatelib.", "Template"),
    **_list("parts", "operator.", "call"),
    **_list("object", "timeit.", "default_timer"),
    **_list("object", "codecs.", "getincrementaldecoder getincrementalencoder"),
    **_list("plain", "codecs.", "encode decode"),
}

# Modules whose functions only compute: everything in them gives something immutable, or a new container of such.
PURE_MODULES = (
    "math",
    "cmath",
    "statistics",
    "textwrap",
    "unicodedata",
    "base64",
    "binascii",
    "html",
    "urllib.parse",
    "ipaddress",
    "colorsys",
    "fnmatch",
    "shlex",
    "string",
    "numbers",
    "keyword",
    "quopri",
    "posixpath",
    "datetime",
)
ITERATING_MODULES = ("itertools",)
# Constants of modules that are data, by the name of what holds them.
CONSTANTS = (
    "sys.maxsize",
    "sys.version_info",
    "sys.platform",
    "os.sep",
    "os.linesep",
    "os.name",
    "re",
    "socket.AF_INET",
)
CONSTANT_MODULES = ("re", "decimal", "logging", "uuid", "csv", "signal", "errno", "http", "calendar", "zlib", "struct")
# What gives exactly the elements of what it is given, and as what.
COPYING = {
    **dict.fromkeys(("builtins.list", "builtins.set", "builtins.tuple", "builtins.sorted"), "container"),
    **dict.fromkeys(("builtins.frozenset", "collections.deque"), "container"),
    **dict.fromkeys(("builtins.reversed", "builtins.filter"), "iterator"),
    **dict.fromkeys(
        _name("itertools.", "chain islice takewhile dropwhile filterfalse compress cycle"),
        "iterator",
    ),
}
# Of elements of XML: they give parts, and change and keep nothing.
FINDING_METHODS = frozenset(("find", "findall", "findtext", "iter", "iterfind", "itertext"))
# What a function given to these gives tells which element is meant, and is not among what they give.
SELECTING = frozenset(
    (
        *("builtins.max", "builtins.min", "builtins.filter", "heapq.nlargest", "heapq.nsmallest", "heapq.merge"),
        *("itertools.filterfalse", "itertools.takewhile", "itertools.dropwhile", "bisect.bisect", "bisect.bisect_left"),
    )
)
# What they are given may come out of these as it is.
GIVING_WHOLE = frozenset(
    _name("itertools.", "repeat zip_longest accumulate") + _name("asyncio.", "gather wait wait_for as_completed")
)
# Functions that give one of the elements of their first argument, or another argument; and those that give None.
GIVING_ONE = frozenset(
    ("builtins.max", "builtins.min", "heapq.heappop", "heapq.heapreplace", "heapq.heappushpop", "random.choice")
)
GIVING_NOTHING = frozenset(_name("heapq.", "heappush heapify") + _name("bisect.", "insort insort_left insort_right"))
# Functions that look at what they are given, and call none of it.
CALLING_NOTHING = frozenset(
    _name("builtins.", "isinstance issubclass callable hasattr id hash")
    + _name("typing.", "cast TypeVar ParamSpec get_type_hints get_args get_origin")
)
# Methods that call what they are given, with what else they are given, by what made their object.
_SUBMITTING = frozenset(("submit", "map"))
SUBMITTING = {
    "concurrent.futures.ThreadPoolExecutor": _SUBMITTING,
    "asyncio.get_running_loop": frozenset(("run_in_executor",)),
}
CONTEXT_VARIABLE = "contextvars.ContextVar"
# What objects that can be made as new give back: nothing of themselves.
PLAIN_GIVING = frozenset(_name("", "getvalue write read readline decode encode seek tell truncate randint random "))
PLAIN_GIVING |= frozenset(_name("", "uniform gauss randrange getrandbits ratio quick_ratio real_quick_ratio"))
BLOCK_GIVING = frozenset(_name("", "get_opcodes get_matching_blocks"))  # of a matcher: lists of words and numbers
PLAIN_GIVERS = frozenset(
    _name("io.", "StringIO BytesIO")
    + _name("codecs.", "IncrementalDecoder IncrementalEncoder")
    + ["random.Random", "difflib.SequenceMatcher"]
)
CHOOSING_METHODS = frozenset(("choice", "choices", "sample"))
# Of what they are given, these hold texts and numbers alone, whatever those stood in.
HOLDING_TEXT = frozenset(
    (
        *_name("configparser.", "ConfigParser RawConfigParser"),
        *_name("hashlib.", "md5 sha1 sha224 sha256 sha384 sha512 sha3_256 sha3_512 blake2b blake2s new"),
        *("io.StringIO", "io.BytesIO", "array.array", "random.Random"),
    )
)
# What a call of what these give makes.
CODECS = {
    "codecs.getincrementaldecoder": "codecs.IncrementalDecoder",
    "codecs.getincrementalencoder": "codecs.IncrementalEncoder",
}
# What the library does with these, nobody can see.
HARMLESS_OBJECTS = frozenset(("decimal.Context", "logging.Formatter"))
# Items of these may be read, as of a dict.
READABLE_OBJECTS = HARMLESS_OBJECTS | frozenset(("configparser.ConfigParser", "configparser.RawConfigParser"))
# Of objects of the library: they look into, or hold, what they are given, and do not change it.
KEEPING_METHODS = frozenset(
    (
        *("write", "writelines", "writerow", "writerows", "writestr", "put", "put_nowait", "update", "add", "append"),
        *("extend", "insert", "choice", "choices", "sample", "execute", "executemany", "feed", "read_dict", "set"),
        *("read_string", "add_argument", "set_defaults", "set_seqs", "set_seq1", "set_seq2", "encode", "get"),
    )
)
# Containers, what stands in which can be called as if it were a method.
NAMESPACES = frozenset(("types.SimpleNamespace", "argparse.Namespace", "collections.namedtuple"))
# Of containers: what they are given is put in as it is.
ADDING_METHODS = frozenset(("append", "appendleft", "add", "insert", "setdefault", "put", "put_nowait", "__setitem__"))
# Of containers: what they are given is looked for, or called, and they give nothing, or what stands there.
REMOVING_METHODS = frozenset(("sort", "reverse", "remove", "discard", "clear", "rotate"))
# Of containers: they give None.
SILENT_METHODS = REMOVING_METHODS | frozenset(
    ("append", "appendleft", "extend", "extendleft", "insert", "add", "update", "subtract", "difference_update")
)
# Of containers: what stands in what they are given is put in, and not that itself.
EXTENDING_METHODS = frozenset(("extend", "extendleft"))
# Of containers: they give one of its parts, or what they were given.
TAKING_METHODS = frozenset(("get", "pop", "popleft", "setdefault", "__getitem__"))
INPLACE_OPERATORS = frozenset(("iadd", "iand", "iconcat", "ior", "ixor", "isub", "imul", "ilshift", "irshift", "imod"))
OPERATORS = INPLACE_OPERATORS | frozenset(
    (
        *("add", "sub", "mul", "truediv", "floordiv", "mod", "and_", "or_", "xor", "concat", "lshift", "rshift", "pow"),
        *("eq", "ne", "lt", "le", "gt", "ge", "contains"),
    )
)
# They write into a namespace that they are given.
PARSING = ("parse_args", "parse_known_args", "parse_intermixed_args", "format_help", "format_usage")
# Methods that change nothing of an object that outlives the event, by what made it.
READING_OF: dict[str, tuple[str, ...]] = {
    "textwrap.TextWrapper": ("wrap", "fill"),
    **dict.fromkeys(
        ("calendar.Calendar", "calendar.TextCalendar", "calendar.HTMLCalendar"),
        ("monthdayscalendar", "monthdatescalendar", "formatmonth", "formatyear", "iterweekdays", "itermonthdates"),
    ),
    "asyncio.get_running_loop": ("time",),
    "socket.socket": ("sendto",),  # what it sends is told by the event alone, and nobody asks the socket
    # Each parse has a namespace of its own, into which defaults are put as they are, or are copied.
    "argparse.ArgumentParser": PARSING,
    "json.JSONEncoder": ("encode", "iterencode"),
    "json.JSONDecoder": ("decode", "raw_decode"),
    "pprint.PrettyPrinter": ("pformat",),
    "difflib.Differ": ("compare",),
    "mimetypes.MimeTypes": ("guess_type", "guess_extension", "guess_all_extensions"),
    "difflib.HtmlDiff": ("make_table", "make_file"),
    "logging.Formatter": ("format", "formatTime"),
    **dict.fromkeys(
        ("configparser.ConfigParser", "configparser.RawConfigParser"),
        ("get", "getint", "getfloat", "getboolean", "sections", "options", "has_section", "has_option"),
    ),
    **dict.fromkeys(("email.parser.Parser", "email.parser.BytesParser"), ("parsestr", "parsebytes")),
    # Its flags tell of earlier events; nobody can read an attribute of an object that lasts.
    "decimal.Context": (
        *("abs", "add", "compare", "create_decimal", "divide", "divide_int", "divmod", "exp", "fma", "ln", "log10"),
        *("max", "min", "minus", "multiply", "normalize", "plus", "power", "quantize", "remainder", "sqrt"),
        *("subtract", "to_eng_string", "to_integral_exact", "to_integral_value", "to_sci_string"),
    ),
    **dict.fromkeys(
        _name("hashlib.", "md5 sha1 sha224 sha256 sha384 sha512 sha3_256 sha3_512 blake2b blake2s new"),
        ("copy", "digest", "hexdigest"),
    ),
    **dict.fromkeys(("hmac.new", "hmac.HMAC"), ("copy", "digest", "hexdigest")),
    **dict.fromkeys(("zlib.compressobj", "zlib.decompressobj"), ("copy",)),
}
# What keeps nothing by itself: these write on what it was made of.
WRITING_ON = {
    "csv.writer": ("writerow", "writerows"),
    "csv.DictWriter": ("writerow", "writerows", "writeheader"),
}
# They set what the whole process, or thread, sees.
SETTING_FOR_ALL = frozenset(("decimal.localcontext", "contextlib.redirect_stdout", "contextlib.redirect_stderr"))
# They read nothing of what they write on.
ONLY_WRITING = frozenset((*WRITING_ON, "contextlib.redirect_stdout", "contextlib.redirect_stderr"))
# `with` binds what these were given; others bind themselves.
GIVING_WHAT_THEY_HOLD = frozenset(("contextlib.closing", "contextlib.aclosing", "contextlib.nullcontext"))
# Methods of immutable objects that change what they are given, and those that ask it for items.
CHANGING_METHODS = frozenset(("pack_into",))
LOOKING_UP_METHODS = frozenset(("format_map", "translate", "__mod__", "substitute", "safe_substitute", "vformat"))
TEXT_FILLING = frozenset(("format", "format_map", "__format__", "__mod__", "substitute", "safe_substitute", "vformat"))
PATTERN_METHODS = frozenset(("sub", "subn", "match", "fullmatch", "search", "findall", "finditer"))
# Of texts and patterns: a number as their first argument is an error, whichever it is.
TEXT_TAKING = PATTERN_METHODS | frozenset(
    (
        *(
            "join",
            "startswith",
            "endswith",
            "find",
            "rfind",
            "index",
            "rindex",
            "count",
            "split",
            "rsplit",
            "partition",
        ),
        *("rpartition", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix", "replace", "get"),
    )
)
PADDING_METHODS = frozenset(("ljust", "rjust", "center", "zfill", "expandtabs"))
ITERATING_METHODS = frozenset(("finditer", "iter_unpack", "hosts", "subnets", "address_exclude", "__iter__"))
# What numbers that are equal may have and not share, and clocks of two zones that show the same moment.
_OF_EQUALS = frozenset(
    name for kind in (int, float, bool, Decimal, Fraction, datetime.datetime, datetime.time) for name in dir(kind)
) | (frozenset(dir(range)) - frozenset(dir(tuple)))  # a range of the same numbers may have another end
LIVE_DATA = ("os.environ",)  # may be read here; whoever writes it is refused

# Iterators that give on what stands in what they were given, and ask nothing of it: no truth, no key, no item.
HANDING_ON = frozenset(
    (
        *("builtins.enumerate", "builtins.zip", "builtins.reversed", "itertools.cycle", "itertools.chain"),
        *("itertools.islice", "itertools.zip_longest", "itertools.pairwise", "itertools.batched"),
    )
)
IDENTITY_DECORATORS = frozenset(
    (
        *("contextlib.contextmanager", "contextlib.asynccontextmanager", "functools.total_ordering"),
        *("abc.abstractmethod", "typing.final", "typing.override", "typing.overload", "typing.runtime_checkable"),
        *("typing_extensions.override", "typing_extensions.final", "enum.unique", "dataclasses.dataclass"),
        *("typing.no_type_check", "builtins.identity"),
        "types.MappingProxyType",  # no decorator: what is read by way of it is read of what it was made of
    )
)
DECORATOR_FACTORIES = frozenset(("functools.wraps", "functools.update_wrapper", "dataclasses.dataclass"))
GRAPHBUS_DECORATORS = frozenset(("subscribe", "publishes", "schema_method", "contract", "depends_on"))
CACHES = frozenset(("functools.lru_cache", "functools.cache"))

# Bases from outside of the project that do nothing by themselves when an object is made, read or compared.
_PLAIN_BASES = [
    "builtins.object",
    "builtins.dict",
    "builtins.list",
    "builtins.set",
    "builtins.tuple",
    "builtins.str",
    "builtins.int",
    "builtins.float",
    "typing.NamedTuple",
    "typing.TypedDict",
    "typing.Protocol",
    "typing.Generic",
    "abc.ABC",
    "enum.Enum",
    "enum.IntEnum",
    "enum.StrEnum",
    "enum.Flag",
    "enum.IntFlag",
    "typing_extensions.TypedDict",
    "typing_extensions.Protocol",
    "pydantic.BaseModel",
    "string.Formatter",
    "graphbus_core.GraphBusNode",
    "graphbus_core.node_base.GraphBusNode",
    "html.parser.HTMLParser",
    "ast.NodeVisitor",
    "collections.UserDict",
    "collections.UserList",
    "collections.abc.Mapping",
    "collections.abc.Sequence",
    "collections.abc.Iterator",
    "collections.abc.MutableMapping",
    "collections.abc.Iterable",
    "collections.abc.Hashable",
    "json.JSONEncoder",
    "json.JSONDecoder",
    "csv.Dialect",
    "csv.excel",
    "csv.excel_tab",
    "csv.unix_dialect",
    "contextlib.AbstractContextManager",
    "collections.abc.Set",
    "collections.abc.MutableSet",
    "collections.abc.MutableSequence",
    "collections.abc.Collection",
    "collections.abc.Container",
    "collections.abc.Sized",
    "collections.abc.Callable",
    "collections.OrderedDict",
    "collections.Counter",
    "ast.NodeTransformer",
    "argparse.ArgumentParser",
    "logging.Filter",
    "logging.Formatter",
]
PLAIN_BASES = frozenset(_PLAIN_BASES)
# Their methods change what stands under `data`, whatever the class that inherits them has put there.
WRAPPING_BASES = frozenset(("collections.UserDict", "collections.UserList"))
# Those whose own methods never call a method of the class that inherits them.
SIMPLE_BASES = frozenset(
    (
        *("builtins.object", "typing.Protocol", "typing.Generic", "abc.ABC", "graphbus_core.GraphBusNode"),
        *("graphbus_core.node_base.GraphBusNode", "enum.Enum", "typing_extensions.Protocol"),
    )
)
# Nothing of them outlives a `with` block.
LOCKS = frozenset(
    _name("threading.", "Lock RLock Semaphore BoundedSemaphore") + _name("asyncio.", "Lock Semaphore BoundedSemaphore")
)
RECORD_BASES = frozenset(("typing.NamedTuple", "typing.TypedDict", "typing_extensions.TypedDict", "pydantic.BaseModel"))
FLAG_BASES = frozenset(("enum.Flag", "enum.IntFlag"))
ENUM_BASES = FLAG_BASES | frozenset(("enum.Enum", "enum.IntEnum", "enum.StrEnum"))

# Methods of lists, dicts, sets, tuples, texts and mappings that change nothing.
READING_METHODS = frozenset(
    [
        "get",
        "keys",
        "values",
        "items",
        "copy",
        "index",
        "count",
        "union",
        "intersection",
        "difference",
        "symmetric_difference",
        "issubset",
        "issuperset",
        "isdisjoint",
        "most_common",
        "elements",
        "total",
        "join",
        "format",
        "split",
        "encode",
        "decode",
        "model_dump",
        "model_dump_json",
        "_asdict",
        "_replace",
        "__getitem__",
        "__len__",
        "__contains__",
        "__iter__",
        "__eq__",
        "__ne__",
        "__lt__",
        "__le__",
        "__gt__",
        "__ge__",
        "__hash__",
        "__str__",
        "__repr__",
        "__format__",
        "__bool__",
        "__or__",
        "__and__",
        "__add__",
        "__mul__",
    ]
)
# Of a view of bytes: no method of it changes them.
DICT_VIEWS = frozenset(("keys", "values", "items"))  # they show what is put in later, too
VIEWING_METHODS = frozenset(_name("", "cast hex release tobytes tolist toreadonly"))
PATH_METHODS = frozenset(
    [
        "read_text",
        "read_bytes",
        "exists",
        "is_file",
        "is_dir",
        "joinpath",
        "with_suffix",
        "with_name",
        "with_stem",
        "relative_to",
        "resolve",
        "absolute",
        "as_posix",
        "as_uri",
        "glob",
        "rglob",
        "iterdir",
        "match",
        "is_absolute",
        "expanduser",
        "is_relative_to",
        "samefile",
        "stat",
        "__str__",
        "__fspath__",
    ]
)
# Of a path in a temporary folder they give one in the same folder.
PATH_BESIDE = frozenset(("with_suffix", "with_name", "with_stem"))
PATH_LISTING = frozenset(("glob", "rglob", "iterdir"))
# What they do to files under names that they are given.
FILE_CHANGES = frozenset(
    (
        *_name("os.", "replace rename remove unlink mkdir makedirs rmdir"),
        *_name("shutil.", "copy copy2 copyfile move rmtree"),
    )
)
PATH_WRITING = frozenset(("write_text", "write_bytes", "mkdir", "touch", "unlink", "rmdir"))
# Lines that go out, and nothing comes back: whatever the level is, who writes them goes on the same.
LOG_WRITING = frozenset(("debug", "info", "warning", "warn", "error", "exception", "critical", "log"))
LOG_METHODS = LOG_WRITING | {"isEnabledFor", "getChild", "getEffectiveLevel"}
_LOG_FUNCTIONS = frozenset(("logging.getLogger", *(f"logging.{name}" for name in LOG_WRITING)))
PATHS = frozenset(("pathlib.Path", "pathlib.PurePath", "pathlib.PurePosixPath"))
READING_MODES = frozenset(("r", "rb", "rt", "br", "r:", "r:*", "r:gz", "r:bz2", "r:xz", "r|", "r|*", "r|gz"))
# Of texts, numbers, dates and matches: those that give a list or dict, which can be changed.
LISTING_METHODS = frozenset(["split", "rsplit", "splitlines", "findall", "groupdict", "finditer", "partition"])
BUILTIN_TYPES = frozenset(("str", "bytes", "int", "float", "list", "dict", "set", "frozenset", "tuple", "bytearray"))
PLAIN_TYPES = frozenset(("str", "bytes", "int", "float", "frozenset", "tuple"))


# These make a float of whatever number they are given: which of the equal ones that is cannot be told any more.
_FLOATING = _name(
    "math.",
    "acos acosh asin asinh atan atanh cbrt cos cosh degrees erf erfc exp exp2 expm1 fabs fmod gamma hypot lgamma log "
    "log10 log1p log2 nextafter pow radians remainder sin sinh sqrt tan tanh ulp",
)
# Of these, 1, 1.0 and True make the same, or an error each.
_BLIND = frozenset(
    _name(
        "builtins.",
        "int float bool abs round all any len sum max min sorted list tuple set frozenset dict divmod pow zip map "
        "filter enumerate reversed iter next complex ord",
    )
    + _name("math.", "floor ceil trunc isclose isnan isinf isfinite fsum modf frexp dist prod")
    + _FLOATING
)
_BLIND_MODULES = ("itertools", "decimal", "fractions", "heapq", "bisect", "collections", "statistics")
_TEXT_MODULES = ("re", "html", "unicodedata", "fnmatch", "shlex", "hashlib", "base64", "binascii", "tomllib")


def is_blind(name: str) -> bool:
    """Whether what it gives is the same for 1, 1.0 and True: equal, at least."""
    module = name.rpartition(".")[0]
    return name in _BLIND or module in _BLIND_MODULES or module in _TEXT_MODULES


# These make the same of 1 and True, or an error of both.
_COUNTING = frozenset(
    (
        *_name("builtins.", "range chr bin oct hex"),
        *_name("math.", "comb perm factorial gcd lcm isqrt ldexp copysign atan2"),
        *_name("datetime.", "date timedelta"),
        *_name("calendar.", "monthrange isleap leapdays weekday"),
    )
)


def counts_flags(name: str) -> bool:
    """Whether what it gives is the same for 1 and True."""
    return name in _COUNTING or is_blind(name)


# Bases whose objects hold nothing of what their methods are given.
_STATELESS_BASES = {
    "string.Formatter": ("format", "vformat", "get_value", "get_field", "format_field", "convert_field", "parse"),
    "json.JSONEncoder": ("encode", "iterencode", "default"),
    "json.JSONDecoder": ("decode", "raw_decode"),
    "ast.NodeVisitor": ("visit", "generic_visit"),
    "argparse.ArgumentParser": PARSING,
    "logging.Formatter": ("format", "formatTime", "formatException", "formatMessage"),
}


# Bases whose own attributes are as new after their `reset`, and the methods that change nothing else.
RESETTING = {"html.parser.HTMLParser": ("feed", "close", "getpos")}


def is_stateless_method(name: str, bases: Iterable[str]) -> bool:
    """Whether that method of one of these bases keeps and changes nothing, and gives at most what it is given."""
    return any(name in _STATELESS_BASES.get(base, ()) or standard_objects.is_immutable_kind(base) for base in bases)


def writes_files(name: str, maker: str) -> bool:
    """Whether a method of an object that `maker` made writes files under a name that it is given."""
    return name in ("extract", "extractall") or (name == "write" and maker == "xml.etree.ElementTree.ElementTree")


@cache
def is_text_only(name: str) -> bool:
    """Whether texts or numbers have a method of that name, or elements of XML do, and no list, dict or set."""
    if any(hasattr(kind, name) for kind in (list, dict, set)):
        return False
    return name in FINDING_METHODS or any(hasattr(kind, name) for kind in (str, bytes, int, float))


@cache
def is_text_method(name: str) -> bool:
    """Whether it gives a text, and numbers have none of that name."""
    return name in _TEXT_METHODS


def asks_what_it_is_given(name: str) -> bool:
    """Whether it is a method of texts that iterates what it is given, makes texts of it, or looks things up in it."""
    return name in ("join", "format", "format_map", "translate", "sub", "subn")


def is_telling(name: str) -> bool:
    """Whether an attribute may tell what equals a key from the key: the sign of a zero, the zone of a moment."""
    return name in _OF_EQUALS or name.startswith("__")


_TEXT_METHODS = frozenset(
    _name(
        "",
        "strip lstrip rstrip lower upper title capitalize casefold swapcase replace join removeprefix removesuffix "
        "center ljust rjust zfill translate encode decode expandtabs isoformat group sub",
    )
)
RESULT_KINDS: dict[str, Value] = {
    **dict.fromkeys(_name("builtins.", "len ord int"), frozenset((WHOLE,))),
    **dict.fromkeys(_name("builtins.", "str repr chr"), frozenset((TEXT,))),
    **dict.fromkeys(_name("builtins.", "bool any all isinstance callable"), frozenset((FLAG,))),
    **dict.fromkeys(("builtins.float", *_FLOATING), frozenset((FLOAT,))),
    **dict.fromkeys(_name("datetime.date", " .fromisoformat .fromordinal .today"), frozenset((DATE,))),
    "datetime.date": frozenset((DATE,)),
    "datetime.datetime": frozenset((MOMENT,)),
    "datetime.timedelta": frozenset((SPAN,)),
    **dict.fromkeys(
        _name("datetime.datetime", ".fromisoformat .fromordinal .fromtimestamp .strptime .combine .now .utcnow"),
        frozenset((MOMENT,)),
    ),
    "re.compile": frozenset((PATTERN,)),
    **dict.fromkeys(_name("re.", "match fullmatch search"), frozenset((MATCH,))),
    **dict.fromkeys(_name("re.", "sub escape"), frozenset((TEXT,))),
}
ROUNDING = _name("", "builtins.round math.floor math.ceil math.trunc")  # of one number: a whole one
_LISTS_TEXTS = frozenset(_name("", "split rsplit splitlines findall"))
_COUNTS = frozenset(_name("", "find rfind index rindex count start end"))
# What methods of texts, patterns and matches give, beside lists.
_OF_PATTERNS: dict[str, Immutable] = {
    **dict.fromkeys(("match", "fullmatch", "search"), MATCH),
    "sub": TEXT,
}


def find_result(receiver: Immutable, name: str) -> Immutable | None:
    """What a method gives, where that is known of all that the receiver may be."""
    if receiver in _PARTS:
        return _PARTS[receiver].get(name)
    if receiver == PATTERN:
        return _OF_PATTERNS.get(name)
    if receiver == MATCH:
        return WHOLE if name in _COUNTS else TEXT if name in ("group", "expand") else None
    if receiver != TEXT:
        return None
    if name.startswith("is") or name in ("startswith", "endswith"):
        return FLAG
    return WHOLE if name in _COUNTS else TEXT if is_text_method(name) or name == "format" else None


def lists_texts(receiver: Immutable, name: str) -> bool:
    """Whether a method gives a list of texts; of tuples of texts, too, if it finds groups."""
    return receiver in (TEXT, PATTERN) and name in _LISTS_TEXTS


def is_method_of(receiver: Immutable, name: str) -> bool:
    """Whether it is known to be a method of all that the receiver may be."""
    if receiver == TEXT:
        return hasattr(str, name)
    return (receiver in (PATTERN, MATCH) and is_plain_method(name)) or name in _PARTS.get(receiver, ())


# What is known of an attribute of a day, a moment or a span, and of what its methods give.
_DATE_PARTS: dict[str, Immutable] = {
    **dict.fromkeys(("year", "month", "day", "weekday", "isoweekday", "toordinal"), WHOLE),
    **dict.fromkeys(("isoformat", "strftime", "__format__", "ctime"), TEXT),
    "replace": DATE,
}
_PARTS: dict[Immutable, dict[str, Immutable]] = {
    DATE: _DATE_PARTS,
    MOMENT: {
        **_DATE_PARTS,
        **dict.fromkeys(("hour", "minute", "second", "microsecond", "fold"), WHOLE),
        **dict.fromkeys(("replace", "astimezone"), MOMENT),
        "date": DATE,
        "timestamp": FLOAT,
    },
    SPAN: {**dict.fromkeys(("days", "seconds", "microseconds"), WHOLE), "total_seconds": FLOAT},
}


def find_part(of: Immutable, name: str) -> Immutable | None:
    """What is known of an attribute, or of what a method gives, where all that it may be have it."""
    return _PARTS.get(of, {}).get(name)


def find_effect(name: str) -> Effect | None:
    """What a call of `name` does, or None where it is not known."""
    if (effect := EFFECTS.get(name)) is not None:
        return effect
    if is_exception(name):
        return Effect("copy")
    module = name.rpartition(".")[0]
    if name.partition(".")[0] in ITERATING_MODULES:
        return Effect("iterator")
    if module in PURE_MODULES and not standard_objects.is_data(name):
        return Effect("plain")
    if module.rpartition(".")[0] in PURE_MODULES and standard_objects.is_immutable_kind(module):
        return Effect("plain")
    if standard_objects.is_enumeration(name):
        return Effect("plain")
    return Effect("object", steady=False, wary=True) if standard_objects.is_known_of(name) else None


def is_constant(name: str) -> bool:
    """Whether a name of another module stands for something immutable."""
    module, _, last = name.rpartition(".")
    if (
        name in CONSTANTS
        or (module in PURE_MODULES and not standard_objects.is_data(name))
        or (module in CONSTANT_MODULES and last.isupper())
    ):
        return True
    return standard_objects.find_constant(name) is not None


def is_exception(name: str) -> bool:
    """Whether it is one of the library's exceptions."""
    return standard_objects.is_error(name)


# Of what a node knows of itself.
_PLAIN_NAMES = frozenset(("is_build_mode", "is_runtime_mode", "get_system_prompt", "get", "items", "keys", "values"))


@cache
def is_plain_method(name: str) -> bool:
    """Whether something immutable has a method of that name."""
    return name in _PLAIN_NAMES or any(hasattr(kind, name) for kind in standard_objects.list_plain_kinds())


def is_container_method(name: str) -> bool:
    """Whether lists, dicts, sets, queues or iterators have a method of that name."""
    kinds: tuple[type, ...] = (list, dict, set, tuple, collections.deque, collections.Counter, collections.OrderedDict)
    return name in ("send", "throw", "close", "__next__") or any(hasattr(kind, name) for kind in kinds)


def is_plain_base(name: str) -> bool:
    """Whether a class from outside does nothing by itself."""
    return is_followed_base(name) or standard_objects.is_known_class(name)


def is_collection(bases: Iterable[str]) -> bool:
    """Whether these are Python's own collections, which only read what they are given."""
    return all(base in PLAIN_BASES and base.startswith(("builtins.", "collections.")) for base in bases)


def is_followed_base(name: str) -> bool:
    """Whether its methods are those of lists, dicts, texts and the like: each is known by its name."""
    return name in PLAIN_BASES or is_exception(name)


def sees_logging(name: str) -> bool:
    """Whether whoever uses this of the library may see what logging keeps, such as a level."""
    return name.startswith("logging.") and name not in _LOG_FUNCTIONS
