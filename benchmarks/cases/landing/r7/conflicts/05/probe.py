from export import ChunkedExporter

out = ChunkedExporter([]).run([[1, 2], [3, 4]])
assert out == ["1 2 3", "4", "END 2"], out
