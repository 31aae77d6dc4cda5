from menu import load_menu


def board(day):
    return day.upper() + ": " + " / ".join(load_menu(day))
