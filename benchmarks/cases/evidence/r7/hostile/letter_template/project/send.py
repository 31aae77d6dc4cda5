from office.letter import Letter

print(Letter().write("Ms Zen", 3)["text"], end="")
