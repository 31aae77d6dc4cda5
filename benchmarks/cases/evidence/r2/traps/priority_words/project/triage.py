from board import Board
from scanner import Scanner

found = Scanner().finding("www")
for priority in ("low", "high"):
    if (priority == "high") is (found["exposed"] or found["severity"] == "high"):
        print(Board().card(title=found["title"], priority=priority)["column"])
