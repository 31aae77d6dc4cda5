import html
import re

from board.notices import Board
from board.page import page

b = Board()
b.submit("Salt & Pepper", "prices < 3 euros")
title, body = re.fullmatch(r"<article><h2>(.*)</h2><p>(.*)</p></article>", page(b)).groups()
assert html.unescape(title) == "Salt & Pepper", title
assert html.unescape(body) == "prices < 3 euros", body
