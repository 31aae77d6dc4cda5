from display import Display
from names import upgrade

shown = {"riders": 3, "floor": 1}
print(sorted(upgrade(shown)))
for language in ("de", "en", "fr"):
    display = Display()
    display.language = language
    print(display.show(**shown)["text"])
