"""What comes from elsewhere: which files of it are installed, under which licences, and what is known against them.

`locks/` names every file by its hash, `lock.py` makes and reads them. `components.toml` and `licences/` say what the
Debian package brings along and on which terms, `bill.py` and `notices.py` write that into the package, `audit.py` asks
for known weaknesses. Knows nothing of the program itself.
"""
