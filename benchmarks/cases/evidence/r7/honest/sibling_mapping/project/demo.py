from voice import Voice

print(Voice().speak("en"), Voice().subtitle("Hi", "en")["line"])
