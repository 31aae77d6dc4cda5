from pages import parse_range


def first_sheet(text):
    return (parse_range(text)[0] + 1) // 2
