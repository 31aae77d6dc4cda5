import icons, rainy
rainy.enable()
assert icons.icon('rain') == '/'
