"""Tries what the box may and what it may not, and writes down what could be done. Run by a unit with its settings."""

import ctypes
import json
import os
import socket
from pathlib import Path

STATE = Path("/var/lib/probe")
RUNTIME = Path("/run/probe")
LIBC = ctypes.CDLL(None, use_errno=True)
NEW_USER_NAMESPACE = 0x10000000


def reads(path: str, flags: int = os.O_RDWR) -> None:
    os.close(os.open(path, flags | os.O_NONBLOCK))


def writes(path: str) -> None:
    Path(path).write_text("probe")


def calls(result: int) -> None:
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def connects(family: int, kind: int) -> None:
    socket.socket(family, kind).close()


TRIALS = {
    "gpiochip": lambda: reads("/dev/gpiochip0"),
    "i2c": lambda: reads("/dev/i2c-0"),
    "null": lambda: reads("/dev/null"),
    "urandom": lambda: reads("/dev/urandom", os.O_RDONLY),
    "state": lambda: writes(f"{STATE}/file"),
    "runtime": lambda: writes(f"{RUNTIME}/file"),
    "tmp": lambda: writes("/tmp/file"),
    "unix socket": lambda: connects(socket.AF_UNIX, socket.SOCK_DGRAM),
    "tcp socket": lambda: connects(socket.AF_INET, socket.SOCK_STREAM),
    # and from here on nothing may work
    "disk": lambda: reads("/dev/vda", os.O_RDONLY),
    "serial console": lambda: reads("/dev/ttyS0"),
    "kernel log": lambda: reads("/dev/kmsg"),
    "kernel log's text": lambda: reads("/dev/kmsg", os.O_RDONLY),
    "memory": lambda: reads("/dev/mem", os.O_RDONLY),
    "clock": lambda: reads("/dev/rtc0"),
    "a new device": lambda: os.mknod("/tmp/disk", 0o60600, os.makedev(254, 0)),
    "settings": lambda: writes("/etc/probe-target"),
    "program": lambda: writes("/usr/local/lib/sandbox_probe.py"),
    "other state": lambda: writes("/var/lib/dpkg/probe"),
    "log": lambda: writes("/var/log/probe"),
    "home": lambda: reads("/home/somebody/file", os.O_RDONLY),
    "root's home": lambda: writes("/root/probe"),
    "kernel setting": lambda: writes("/proc/sys/kernel/printk"),
    "driver": lambda: writes("/sys/bus/platform/drivers_probe"),
    "other processes": lambda: reads("/proc/1/environ", os.O_RDONLY),
    "raw socket": lambda: connects(socket.AF_INET, socket.SOCK_RAW),
    "packet socket": lambda: connects(socket.AF_PACKET, socket.SOCK_RAW),
    "netlink socket": lambda: connects(socket.AF_NETLINK, socket.SOCK_RAW),
    "namespace": lambda: calls(LIBC.unshare(NEW_USER_NAMESPACE)),
    "mount": lambda: calls(LIBC.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None)),
    "reboot": lambda: calls(LIBC.reboot(0)),
    "set clock": lambda: calls(LIBC.settimeofday(ctypes.byref((ctypes.c_long * 2)(0, 0)), None)),
    "priority": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10)),
    "write and execute": lambda: calls(0 if _executable_memory() else -1),
}


def _executable_memory() -> bool:
    import mmap

    mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC).close()
    return True


def main() -> None:
    answers = {}
    for name, trial in TRIALS.items():
        try:
            trial()
        except (OSError, ValueError) as error:
            answers[name] = str(error)
        else:
            answers[name] = "yes"
    (RUNTIME / "answers").write_text(json.dumps(answers))


if __name__ == "__main__":
    main()
