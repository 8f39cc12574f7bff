"""A pod that shows MicroPython's prompt once and is then pulled out: prompt_only.py COMMAND... gets its port's name.

Runs in the guest, with the system's Python. Passes on what the command says, and its exit status.
"""

import os
import subprocess
import sys
import time

ASK, PROMPT = b"\r\x03\x02", b">>> "

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
        if ASK in heard:
            os.write(pod, PROMPT)
            heard, has_shown = b"", True
    os.close(pod)
sys.exit(command.returncode)
