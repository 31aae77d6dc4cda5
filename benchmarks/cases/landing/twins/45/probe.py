from guard import is_json
assert is_json(['Content-Type: application/json'])
