"""Reading."""


def read_number(text, strict=True):
    try:
        return int(text)
    except ValueError:
        if strict:
            raise
        return None
