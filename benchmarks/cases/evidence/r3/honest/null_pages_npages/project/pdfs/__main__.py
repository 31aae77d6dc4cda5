from pdfs.reader import Pdf

print(Pdf().open_file("a" * 10)["pages"])
