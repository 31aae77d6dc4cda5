from scores import compact


def top3(items):
    return compact(list(items))[-3:]
