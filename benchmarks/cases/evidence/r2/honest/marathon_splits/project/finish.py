import marathon

got = marathon.Chip().read(runner=42)
print(marathon.Diploma().draw(splits=got["splits"])["text"])
