from export import ChunkedExporter


def test_rows_are_grouped():
    e = ChunkedExporter([])
    for row in (1, 2, 3, 4):
        e.write(row)
    e.finish()
    assert e.out == ["1 2 3", "4", "END 2"]
