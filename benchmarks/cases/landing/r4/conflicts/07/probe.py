from board import Board

board = Board("Mill Lane")
for time in ("18:00", "06:30", "12:15", "08:00"):
    board.add(time, "7", "Port")
assert board.next_after("07:00").time == "08:00", board.next_after("07:00")
