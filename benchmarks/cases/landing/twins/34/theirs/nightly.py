from store import prune


def nightly(store, limit=30):
    gone = prune(store, limit, dry_run=False)
    return f'{len(gone)} deleted, {len(store)} kept'
