import more_shapes
assert more_shapes.describe(more_shapes.Triangle()) == "triangle 3"
