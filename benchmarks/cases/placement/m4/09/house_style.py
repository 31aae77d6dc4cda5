import textwrap

wrapper = textwrap.TextWrapper(width=40, break_long_words=False)

STOCK = [
    {"name": "offset 80", "gsm": 80, "price": 9},
    {"name": "offset 120", "gsm": 120, "price": 14},
    {"name": "silk 120", "gsm": 120, "price": 17},
    {"name": "silk 170", "gsm": 170, "price": 21},
    {"name": "board 300", "gsm": 300, "price": 17},
    {"name": "recycled 80", "gsm": 80, "price": 14},
]

FORMATS = {"A4": (210, 297), "A5": (148, 210), "A6": (105, 148), "DL": (99, 210)}


def make_wrapper(columns, indent=0):
    return textwrap.TextWrapper(width=columns, initial_indent=" " * indent, max_lines=6, placeholder=" ...")
