"""The one way to touch a disk: whole writes, appended lines, locks, private folders."""
