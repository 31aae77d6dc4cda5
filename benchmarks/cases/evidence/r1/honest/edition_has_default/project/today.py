from digest import Cleaner, Digest

print(Digest().write(lines=Cleaner().clean()["lines"])["text"])
