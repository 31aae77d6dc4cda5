def parse(line):
    text = line.strip()
    if not text.endswith('C'):
        return None
    return float(text[:-1])


def is_reading(line):
    return line.strip().endswith('C')
