from river.board import board_line
from river.gauge import Gauge


def test_board_shows_metres():
    assert board_line(Gauge("Mill weir", lambda: 19.62)) == "Mill weir: 2.00 m"
