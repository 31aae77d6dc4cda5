from http2 import parse


def is_json(lines):
    return parse(lines).get('Content-Type') == 'application/json'
