from flow.filters import Filter
from flow.reader import Reader


def run(lines):
    reader, keep = Reader(), Filter().keep
    for line in lines:
        row = reader.read(line)
        yield keep(content=row["text"], data_id=row["id"])


if __name__ == "__main__":
    print(list(run(["long enough", "no"])))
