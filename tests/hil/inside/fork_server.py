"""Runs in the guest: starts Python scripts of this checkout as forks of a process that has imported them already.

Four fifths of a start of the program are its imports here, which the emulator makes sixteen times slower, and they are
the same each time. A fork begins where the script's own first line stands. The agent starts this server by
`python fork_server.py MODULE...` with a socket as standard input. Each request is one message: a line of JSON (`argv`,
`env`, `cwd`) and the descriptors of standard input, output and error. Each answer is the new process's id; it belongs
to the agent, which takes up orphans.
"""

import json
import os
import runpy
import socket
import sys
import threading
from importlib import import_module
from typing import Any

MESSAGE_BYTES = 65536
# Where luma moves pictures that are larger than a display: four threads at import, which nothing of ours gives work.
IDLE_THREADS = ("luma.core.threadpool",)


def serve(line: socket.socket) -> None:
    """Answers requests until the agent goes; a fork comes back from here, and is the script."""
    while True:
        message, descriptors, _, _ = socket.recv_fds(line, MESSAGE_BYTES, 3)
        if not message:
            os._exit(0)
        request = json.loads(message)
        forked = _fork(line)
        if forked is None:
            _become(request, descriptors)
            return
        for descriptor in descriptors:
            os.close(descriptor)
        line.send(f"{forked}\n".encode())


def _fork(line: socket.socket) -> int | None:
    """The id of a new orphan; None in the orphan itself."""
    told, tell = os.pipe()
    between = os.fork()
    if between == 0:
        orphan = os.fork()
        if orphan == 0:
            os.close(told)
            os.close(tell)
            line.close()
            return None
        os.write(tell, str(orphan).encode())
        os._exit(0)
    os.close(tell)
    os.waitpid(between, 0)
    forked = int(os.read(told, 20))
    os.close(told)
    return forked


def _become(request: dict[str, Any], descriptors: list[int]) -> None:
    """Takes what belongs to a process from the request, as an exec would."""
    for number, descriptor in enumerate(descriptors):
        os.dup2(descriptor, number)
        os.close(descriptor)
    os.setsid()
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.argv[:] = request["argv"]


def main() -> None:
    for module in sys.argv[1:]:
        import_module(module)
    begun = [thread for thread in threading.enumerate() if type(thread).__module__ not in IDLE_THREADS]
    if len(begun) != 1:
        raise SystemExit(f"a module began a thread, which no fork would have: {begun}")
    line = socket.socket(fileno=os.dup(0))
    line.send(b"ready\n")
    serve(line)
    runpy.run_path(sys.argv[0], run_name="__main__")


if __name__ == "__main__":
    main()
