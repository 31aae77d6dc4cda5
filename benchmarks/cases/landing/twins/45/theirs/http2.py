def parse(lines):
    out = {}
    for line in lines:
        key, _, value = line.partition(': ')
        out[key.lower()] = value
    return out


def header(headers, name):
    return headers.get(name.lower(), '')
