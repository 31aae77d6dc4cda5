from http2 import header, parse


def is_json(lines):
    return header(parse(lines), 'Content-Type') == 'application/json'
