"""Reading."""


def read_number(text, strict=False):
    try:
        return int(text)
    except ValueError:
        if strict:
            raise
        return None
