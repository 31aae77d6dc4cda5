import printer
assert printer.first_page("2-4") == 2
