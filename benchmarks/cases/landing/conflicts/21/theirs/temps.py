def parse(line):
    text = line.strip()
    if not text.endswith('C'):
        raise ValueError(line)
    return float(text[:-1])


def is_reading(line):
    return line.strip().endswith('C')
