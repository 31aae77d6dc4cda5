from menu import load_menu


def with_special(day, dish):
    """The day's menu with the dish of the chef at its end."""
    dishes = load_menu(day)
    dishes.append(dish)
    return dishes
