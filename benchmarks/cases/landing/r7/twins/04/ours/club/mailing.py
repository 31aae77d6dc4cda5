def newsletter_addresses(roll):
    return sorted({m.email for m in roll.find()})
