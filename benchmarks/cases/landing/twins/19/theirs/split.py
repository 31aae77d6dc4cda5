from conf import settings


def chunks(items):
    step = len(settings['name'])
    return [items[i::step] for i in range(step)]
