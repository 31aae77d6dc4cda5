from span import days


def nights(arrival, departure):
    return len(days(arrival, departure))
