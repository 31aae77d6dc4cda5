INVITE = 'Dear {name}, come at {time}.'
REMIND = 'See you at {time}.'
