import re


def packed(lines):
    return sum(int(n) for line in lines for n in re.findall(r"\bqty=(\d+)", line))
