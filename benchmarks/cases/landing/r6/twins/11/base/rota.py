from span import days


def rota(people, start, end):
    return {day: people[i % len(people)] for i, day in enumerate(days(start, end))}
