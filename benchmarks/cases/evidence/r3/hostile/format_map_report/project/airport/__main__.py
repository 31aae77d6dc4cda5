from airport.board import Board
from airport.weather import Weather


def refresh(board):
    report = Weather().now("ZRH")
    board.show({"temp": report["celsius"], "wind": report["wind"]})
    return board


for line in refresh(Board()).lines:
    print(line)
