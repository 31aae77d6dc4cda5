"""What a few functions and methods of the standard library give: those that every project's values pass through."""

from __future__ import annotations

from graphbus_core.adopt.known.shapes import BOOL, BYTES, FLOAT, INT, NONE, STR, Many, Plain, Row, Shape

STRINGS = Many("list", STR)
_TEXT = """capitalize casefold center expandtabs format format_map join ljust lower lstrip replace rjust rstrip strip
swapcase title translate upper zfill removeprefix removesuffix"""
_TESTS = """endswith isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace
istitle isupper startswith"""

OF_STR: dict[str, Shape] = dict.fromkeys(_TEXT.split(), STR)
OF_STR |= dict.fromkeys(_TESTS.split(), BOOL)
OF_STR |= dict.fromkeys(("count", "find", "index", "rfind", "rindex"), INT)
OF_STR |= dict.fromkeys(("split", "rsplit", "splitlines"), STRINGS)
OF_STR |= {"encode": BYTES, "partition": Row((STR, STR, STR)), "rpartition": Row((STR, STR, STR))}

OF_BYTES: dict[str, Shape] = {"decode": STR, "hex": STR, "startswith": BOOL, "endswith": BOOL, "strip": BYTES}

BUILTINS: dict[str, Shape] = {
    **dict.fromkeys(("str", "repr", "ascii", "chr", "hex", "oct", "bin", "format", "input"), STR),
    **dict.fromkeys(("int", "len", "ord", "hash", "id"), INT),
    **dict.fromkeys(("bool", "isinstance", "issubclass", "callable", "hasattr", "any", "all"), BOOL),
    "float": FLOAT,
    "bytes": BYTES,
    "print": NONE,
    "setattr": NONE,
}

FUNCTIONS: dict[str, Shape] = {
    **{f"os.path.{n}": STR for n in ("join", "basename", "dirname", "abspath", "realpath", "normpath", "expanduser")},
    **{f"os.path.{n}": BOOL for n in ("exists", "isfile", "isdir", "isabs", "islink")},
    "os.path.splitext": Row((STR, STR)),
    "os.path.split": Row((STR, STR)),
    "os.getcwd": STR,
    "os.getpid": INT,
    "os.listdir": STRINGS,
    "json.dumps": STR,
    "time.time": FLOAT,
    "time.monotonic": FLOAT,
    "time.sleep": NONE,
    "datetime.datetime.now": Plain("datetime"),
    "datetime.datetime.utcnow": Plain("datetime"),
    "datetime.datetime.fromisoformat": Plain("datetime"),
    "datetime.date.today": Plain("date"),
    "datetime.timedelta": Plain("timedelta"),
    "uuid.uuid4": Plain("UUID"),
    "textwrap.dedent": STR,
    "re.sub": STR,
    "re.escape": STR,
    "random.random": FLOAT,
    "random.randint": INT,
    "html.escape": STR,
    "urllib.parse.quote": STR,
    "urllib.parse.urljoin": STR,
    "tempfile.mkdtemp": STR,
}
