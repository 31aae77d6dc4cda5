from dataclasses import astuple, make_dataclass

from scanner import ARTICLES, Scanner

FIELDS = "code price sku"
Line = make_dataclass("Line", FIELDS.split())
for code in ARTICLES:
    try:
        print(astuple(Line(**Scanner().read(code))))
    except ValueError as error:
        print(error)
