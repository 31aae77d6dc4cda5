def prune(store, older_than, dry_run=True):
    old = [k for k, age in store.items() if age > older_than]
    if not dry_run:
        for k in old:
            del store[k]
    return old
