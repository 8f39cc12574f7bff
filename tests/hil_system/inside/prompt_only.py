"""A pod that answers at MicroPython's prompt once and is then pulled out: prompt_only.py COMMAND... gets its port.

Runs in the guest, with the system's Python. Passes on what the command says, and its exit status.
"""

import os
import re
import subprocess
import sys
import time

QUESTION = re.compile(rb"\r\x03\x02print\((\d+) \* (\d+)\)\r")
ANSWER = b"\r\n%d\r\n>>> "

pod, port = os.openpty()
name = os.ttyname(port)
os.close(port)
with subprocess.Popen([*sys.argv[1:], name]) as command:
    heard, has_shown = b"", False
    while command.poll() is None:
        try:
            heard += os.read(pod, 1024)
        except OSError:  # nobody has the port open
            if has_shown:
                break
            time.sleep(0.01)
        if asked := QUESTION.search(heard):
            os.write(pod, ANSWER % (int(asked[1]) * int(asked[2])))
            heard, has_shown = b"", True
    os.close(pod)
sys.exit(command.returncode)
