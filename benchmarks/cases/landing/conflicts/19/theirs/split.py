from conf import settings


def chunks(items):
    step = settings['workers']
    return [items[i::step] for i in range(step)]
