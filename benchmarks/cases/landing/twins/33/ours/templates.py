INVITE = 'Dear {guest}, come at {time}.'
REMIND = 'See you at {time}.'
