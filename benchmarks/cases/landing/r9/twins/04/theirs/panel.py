"""A panel is the list of regions a lab kit covers."""
from regions import parse_region


def load_panel(lines):
    return [parse_region(line.strip()) for line in lines if line.strip()]


def covered_bases(panel):
    """How many bases the kit has to read; the regions do not overlap."""
    return sum(end - start + 1 for _, start, end in panel)


def cost(panel, per_base):
    return round(covered_bases(panel) * per_base, 2)
