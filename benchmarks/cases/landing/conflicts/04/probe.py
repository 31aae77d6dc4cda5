from feed import entry
assert entry({'title': 'A b'}, with_id=True)['id']
