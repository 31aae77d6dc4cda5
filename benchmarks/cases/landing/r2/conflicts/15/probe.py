import bot
assert bot.play() == 34
