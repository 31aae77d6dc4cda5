from board import board
from special import with_special

with_special("wed", "trout")
assert with_special("wed", "hare") == ["pasta", "hare"]
assert board("wed") == "WED: pasta"
