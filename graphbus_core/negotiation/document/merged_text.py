"""One text out of several sources: their own order and headings, and what was decided where it was undecided. Pure.

The first source gives the order. Another one adds its sections after those that stand before them in it; under a
heading that both have its lines come below the first one's, and a line on the subject of an earlier one beside that.
A line that was decided gives way to the decision, at its first place; what the sources repeat stands once. Lines are
copied as they stand, so no form is lost. Who decided what is told in the table of fates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphbus_core.negotiation.document.fates import Fate, FateKind, Fates, fold_statement, indent_statement
from graphbus_core.negotiation.document.text.statements import (
    ITEM,
    Block,
    BlockKind,
    find_title,
    normalize_text,
    split_blocks,
)

UNDECIDED = "Not decided; these may contradict each other:"
_NUMBERED = re.compile(r"^(\s*)(\d+)([.)]\s+)")
Path = tuple[str, ...]  # the headings above a place, each normalized


@dataclass(slots=True)
class _Unit:
    """What is written in one piece. `places`: the statements in it."""

    kind: BlockKind
    text: str
    places: tuple[str, ...] = ()
    cells: int = 0  # of a row
    is_head: bool = False  # of a table: it goes where nothing of the table is left
    beside: list[_Unit] = field(default_factory=list)  # what others say on its subject

    def flatten(self) -> Iterator[_Unit]:
        """It, and what stands beside it."""
        yield self
        for unit in self.beside:
            yield from unit.flatten()


@dataclass(slots=True)
class _Section:
    """A heading with what stands below it, up to the next one."""

    path: Path
    heading: str
    level: int
    units: list[_Unit] = field(default_factory=list)


class MergedText:
    """The text while it is put together. `decisions`: the words of each agreed issue, by its name."""

    def __init__(self, fates: Fates, decisions: Mapping[str, str]) -> None:
        self.decisions = decisions
        self.sections = [_Section((), "", 1)]
        self._fates = {fate.statement.place: fate for fate in fates.rows}
        self._group_of = _group_conflicts(fates.rows)
        self._groups: dict[int, list[Fate]] = {}
        for place, group in self._group_of.items():
            self._groups.setdefault(group, []).append(self._fates[place])
        self._placed: set[str] = set()  # decisions that stand somewhere
        self._grouped: set[int] = set()  # conflicts that stand somewhere
        self._said: set[str] = set()  # statements that stand somewhere
        self._unit_of: dict[str, _Unit] = {}  # by place
        self._by_path: dict[Path, _Section] = {(): self.sections[0]}

    def add_source(self, name: str, text: str) -> None:
        """Bring the text of a source in. Each source is added once, in its turn."""
        section = self.sections[0]
        trail: list[tuple[int, str]] = []
        blocks = list(split_blocks(text))
        title = find_title(blocks)
        counts: dict[int, int] = {}
        for number, block in enumerate(blocks):
            if block is title:
                continue
            if block.kind is BlockKind.HEADING:
                while trail and trail[-1][0] >= block.level:
                    trail.pop()
                trail.append((block.level, normalize_text(block.heading)))
                section = self._open_section(tuple(words for _, words in trail), block, section)
                continue
            after = blocks[number + 1] if number + 1 < len(blocks) else None
            is_underlined = (
                after is not None and after.kind is BlockKind.RULE and after.line == block.line + len(block.lines)
            )
            places = []
            for _ in block.sentences:
                counts[block.line] = counts.get(block.line, 0) + 1
                nth = counts[block.line]
                places.append(f"{name}:{block.line}" + (f".{nth}" if nth > 1 else ""))
            self._add_block(section, block, places, after.lines[0] if is_underlined and after is not None else "")

    def add_decision(self, stem: str, title: str) -> None:
        """Bring in a decision that took no statement's place: beside what is on its subject, else at the end."""
        words = self.decisions[stem]
        if stem in self._placed or not words:
            return
        self._placed.add(stem)
        unit = _Unit(BlockKind.TEXT, words)
        for place, fate in self._fates.items():
            if place in self._unit_of and any(other.rpartition(":")[0] == stem for other in fate.like):
                beside = self._unit_of[place]
                beside.beside.append(_dress(beside, words))
                return
        says_more = _says_more(title, words)
        if says_more and (len(self.sections) > 1 or not self._fates):
            self.sections.append(_Section((f"\0{stem}",), title, 2, [unit]))
            return
        units = self.sections[0].units
        units.append(_dress(units[-1], words) if units and units[-1].kind is BlockKind.ITEM else unit)

    def render(self) -> str:
        """The text, below its title."""
        parts: list[str] = []
        for number, section in enumerate(self.sections):
            body = _join_units([unit for first in section.units for unit in first.flatten()])
            below = (later.path for later in self.sections[number + 1 :] if later.units)
            is_wanted = body or any(path[: len(section.path)] == section.path for path in _while_below(section, below))
            if section.heading and is_wanted:
                parts.append(f"{'#' * max(2, section.level)} {section.heading}")
            if body:
                parts.append(body)
        return "\n\n".join(parts)

    def _open_section(self, path: Path, block: Block, current: _Section) -> _Section:
        """The section of these headings: the one that is there, or a new one after the current one's relatives."""
        if path in self._by_path:
            return self._by_path[path]
        section = _Section(path, block.heading, block.level)
        before = current.path[: len(path)]
        index = next(n for n, known in enumerate(self.sections) if known is current)
        while index + 1 < len(self.sections) and self.sections[index + 1].path[: len(before)] == before != ():
            index += 1
        if before == ():
            index = len(self.sections) - 1
        self.sections.insert(index + 1, section)
        self._by_path[path] = section
        return section

    def _add_block(self, section: _Section, block: Block, places: Sequence[str], underline: str) -> None:
        if block.kind is BlockKind.RULE:
            return
        fates = [self._fates[place] for place in places if place in self._fates]
        cells = block.lines[0].strip().strip("|").count("|") + 1 if block.kind is BlockKind.ROW else 0
        if all(self._stays(fate) for fate in fates) and fates:
            text = _copy_lines(block, underline)
            is_head = block.kind is BlockKind.ROW and bool(underline)
            self._put(section, _Unit(block.kind, text, tuple(places), cells, is_head), fates)
            self._said.update(fold_statement(fate.statement.text) for fate in fates)
            return
        if block.kind is BlockKind.ROW and underline and fates and fates[0].kind is FateKind.KEPT:
            # Another source's table with the same head: its rows need it.
            section.units.append(_Unit(block.kind, f"{block.lines[0].rstrip()}\n{underline}", (), cells, True))
            return
        for fate in fates:
            if (unit := self._build_unit(fate, block, cells)) is not None:
                self._put(section, unit, [fate])

    def _stays(self, fate: Fate) -> bool:
        return fate.kind is FateKind.KEPT and fold_statement(fate.statement.text) not in self._said

    def _build_unit(self, fate: Fate, block: Block, cells: int) -> _Unit | None:
        """What stands in the place of one statement of a block that does not stay whole."""
        place, text = fate.statement.place, fate.statement.text
        match fate.kind:
            case FateKind.KEPT if self._stays(fate):
                self._said.add(fold_statement(text))
                words = block.lines[0].rstrip() if block.kind is BlockKind.ROW else text
                return _Unit(block.kind, _mark(block, words), (place,), cells)
            case FateKind.DECIDED if fate.issue not in self._placed and self.decisions.get(fate.issue):
                self._placed.add(fate.issue)
                return _dress(_Unit(block.kind, block.lines[0], (place,)), self.decisions[fate.issue])
            case FateKind.CONFLICT if self._group_of[place] not in self._grouped:
                self._grouped.add(self._group_of[place])
                statements = [known.statement for known in self._groups[self._group_of[place]]]
                lines = "\n".join(f"- {indent_statement(statement.text)}" for statement in statements)
                return _Unit(
                    BlockKind.TEXT, f"{UNDECIDED}\n\n{lines}", tuple(statement.place for statement in statements)
                )
        return None

    def _put(self, section: _Section, unit: _Unit, fates: Sequence[Fate]) -> None:
        """Write a unit down: at the end of its section, or beside what another source says on its subject."""
        home = section.units
        if len(fates) == 1 and unit.kind in (BlockKind.ITEM, BlockKind.TEXT, BlockKind.ROW):
            for beside in filter(None, (self._unit_of.get(place) for place in fates[0].like)):
                if _may_stand_beside(beside, unit):
                    home = beside.beside
                    if beside.kind is BlockKind.ITEM and unit.kind is BlockKind.TEXT:
                        unit = replace(_dress(beside, unit.text), places=unit.places)
                    break
        home.append(unit)
        for place in unit.places:
            self._unit_of[place] = unit


def _group_conflicts(rows: Iterable[Fate]) -> dict[str, int]:
    """The undecided statements that belong together, directly or by others, by place with a number."""
    parent: dict[str, str] = {}

    def find_root(place: str) -> str:
        while parent.setdefault(place, place) != place:
            parent[place] = parent[parent[place]]
            place = parent[place]
        return place

    contested = [fate for fate in rows if fate.kind is FateKind.CONFLICT]
    for fate in contested:
        for other, _ in fate.others:
            parent[find_root(other)] = find_root(fate.statement.place)
    numbers: dict[str, int] = {}
    return {
        fate.statement.place: numbers.setdefault(find_root(fate.statement.place), len(numbers)) for fate in contested
    }


def _copy_lines(block: Block, underline: str) -> str:
    """A block as it stands, with the line that makes it a heading or the head of a table."""
    rest = (line.rstrip() for line in block.lines[1:])
    return "\n".join([_straighten(block), *rest, *([underline] if underline else [])])


def _straighten(block: Block) -> str:
    """The first line; an item that begins with something struck out begins with what is left."""
    line = block.lines[0].rstrip()
    marker = ITEM.match(line.strip()) if block.kind is BlockKind.ITEM else None
    return line if marker is None else _mark(block, line.strip()[marker.end() :])


def _mark(block: Block, words: str) -> str:
    """A statement with the mark of the list item or the quotation that it stood in."""
    if block.kind is BlockKind.QUOTE:
        return "\n".join(f"> {line}" for line in words.split("\n"))
    if block.kind is not BlockKind.ITEM:
        return words
    line = block.lines[0]
    marker = ITEM.match(line.strip())
    return f"{line[: len(line) - len(line.lstrip())]}{marker.group().rstrip() if marker else '-'} {words}"


def _dress(beside: _Unit, words: str) -> _Unit:
    """Words of a decision in the form of what they stand beside: an item in a list, else as they are."""
    is_plain = "\n" not in words and not words.startswith(("#", "|", "```", "~~~"))
    if beside.kind is not BlockKind.ITEM or not is_plain:
        return _Unit(BlockKind.TEXT, words, beside.places if beside.text != words else ())
    block = Block(BlockKind.ITEM, 0, [beside.text.split("\n")[0]])
    return _Unit(BlockKind.ITEM, _mark(block, ITEM.sub("", words)), ())  # whoever wrote the mark, too, has it once


def _may_stand_beside(beside: _Unit, unit: _Unit) -> bool:
    if BlockKind.ROW in (beside.kind, unit.kind):
        return beside.kind is unit.kind and beside.cells == unit.cells and not unit.is_head
    return beside.kind is not BlockKind.CODE


def _says_more(title: str, words: str) -> bool:
    """Whether a title is not only the beginning of the words below it."""
    head, body = normalize_text(title).strip(" .:;!?…"), normalize_text(words)
    return bool(head) and not body.startswith(head)


def _while_below(section: _Section, paths: Iterable[Path]) -> Iterator[Path]:
    """The paths of the sections that follow, as long as they stand below this one."""
    for path in paths:
        if path[: len(section.path)] != section.path:
            return
        yield path


def _join_units(units: Sequence[_Unit]) -> str:
    """Items of a list and rows of a table one below the other, everything else apart; numbers go on."""
    parts: list[str] = []
    before: _Unit | None = None
    counts: dict[str, int] = {}  # by indent, of a list that goes on
    for number, unit in enumerate(units):
        if unit.is_head and not unit.places and not _has_rows(units[number + 1 :], unit.cells):
            continue
        goes_on = (
            before is not None
            and before.kind is unit.kind
            and unit.kind in (BlockKind.ITEM, BlockKind.ROW)
            and (before.cells == unit.cells and not unit.is_head)
        )
        if not goes_on:
            counts = {}
        text = unit.text
        if unit.kind is BlockKind.ITEM and (match := _NUMBERED.match(text)):
            counts[match[1]] = counts.get(match[1], int(match[2]) - 1) + 1
            text = f"{match[1]}{counts[match[1]]}{match[3]}{text[match.end() :]}"
        parts += ["" if before is None else "\n" if goes_on else "\n\n", text]
        before = unit
    return "".join(parts)


def _has_rows(units: Sequence[_Unit], cells: int) -> bool:
    return bool(units) and units[0].kind is BlockKind.ROW and units[0].cells == cells and not units[0].is_head
