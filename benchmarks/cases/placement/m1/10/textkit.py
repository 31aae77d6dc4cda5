import re
from string import Template

WORD = re.compile(r"[\w'-]+")
STOP = frozenset("the a an of and in to".split())
BYLINE = Template("By $author, $desk desk")


def words(text):
    return [w.lower() for w in WORD.findall(text)]


def counter(start=0):
    n = start

    def step(by=1):
        nonlocal n
        n += by
        return n

    return step


published = counter(100)
