import weather
assert weather.describe_fahrenheit(32) == "273.15 K"
