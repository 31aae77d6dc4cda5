import merge_names
assert merge_names.merge([" b"], ["a "]) == ["a", "b"]
