BASE = {
    "mon": "soup,bread",
    "tue": "rice,beans",
    "wed": "pasta",
}


def load_menu(day):
    return [dish.strip() for dish in BASE.get(day, "").split(",") if dish.strip()]
