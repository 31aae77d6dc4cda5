"""Genome regions as biologists write them: chr7:101-150."""
import re

_REGION = re.compile(r"^(\w+):(\d+)-(\d+)$")


def parse_region(text):
    """(chromosome, start, end), counted from 1, the end included."""
    found = _REGION.match(text.replace(",", ""))
    if not found:
        raise ValueError("not a region: %r" % text)
    chrom, start, end = found.group(1), int(found.group(2)), int(found.group(3))
    if start < 1 or end < start:
        raise ValueError("empty region: %r" % text)
    return chrom, start, end


def format_region(region):
    chrom, start, end = region
    return "%s:%d-%d" % (chrom, start, end)
