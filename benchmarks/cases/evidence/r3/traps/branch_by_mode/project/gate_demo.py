import sys

from gate import Gate
from reader import Reader

testing = "--test" in sys.argv
seen = Reader().scan("4712/c0ffee")
if testing:
    token = seen["badge"]
else:
    token = seen["chip"]
print(Gate().open(token=token))
