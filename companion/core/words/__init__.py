"""What is said to people, in one language here and in another there. The lowest room of the core but for errors.

A text is found once, in English, and remembers how it was made (`texts`); where it leaves the program for somebody's
eyes or ears it is put into that one's language (`language`), and where it leaves for a file, into English (`encoding`).
"""
