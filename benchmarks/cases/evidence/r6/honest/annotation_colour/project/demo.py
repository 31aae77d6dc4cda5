from pdfnotes import Annotator, rgb

print(rgb((0.5, 0.5, 0.5)))
print(Annotator().ellipse("000000", "ffffff")["ops"])
