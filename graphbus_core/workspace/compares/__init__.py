"""Contracts held against each other, from wherever they are. The judging is `contracts`; here is what around it.

asked        which two versions a command means -> the differences between them
sources      a file, a folder, git, a build, a module, a method -> the contracts in it
differences  two sources -> findings with place and payload, and what counts of them
projects     the methods of a project against an older state of it
published    against every version that was published or tagged; publish; can-i-use
"""
