from desk.sections import SECTIONS, Section
from desk.board import Board

board = Board(SECTIONS)
front = board.slots
