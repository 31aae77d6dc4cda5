def parse(lines):
    out = {}
    for line in lines:
        key, _, value = line.partition(': ')
        out[key] = value
    return out


def header(headers, name):
    return headers.get(name, '')
