import re
from dataclasses import dataclass
from enum import Enum, auto


class Kind(Enum):
    NUMBER = auto()
    NAME = auto()
    OP = auto()
    END = auto()


@dataclass(frozen=True)
class Token:
    kind: Kind
    text: str
    at: int


_TOKEN = re.compile(r"\s*(?:(?P<NUMBER>\d+)|(?P<NAME>[a-z_]\w*)|(?P<OP>[-+*()=]))")


class Lexer:
    def __init__(self, source: str) -> None:
        self.source = source.rstrip()
        self.pos = 0

    def __iter__(self):
        while self.pos < len(self.source):
            match = _TOKEN.match(self.source, self.pos)
            if match is None:
                raise SyntaxError(f"bad character at {self.pos}")
            self.pos = match.end()
            yield Token(Kind[match.lastgroup], match.group(match.lastgroup), match.start(match.lastgroup))
        yield Token(Kind.END, "", self.pos)
