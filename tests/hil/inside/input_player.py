"""Plays input devices in the guest by uinput: plugs them in, presses their keys, floods, pulls them. Commands on stdin.

Each line is a JSON object with `do`; each answer a line on stdout, with CLOCK_MONOTONIC before and after, in ns. A key
is written and a report after it, so the kernel stamps it between the two.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from evdev import AbsInfo, InputDevice, UInput, ecodes

PADS: dict[str, UInput] = {}
USB = 0x03


def plug(
    name: str, title: str, vendor: int, product: int, keys: list[int], axes: dict[str, list[int]]
) -> dict[str, Any]:
    events: dict[int, Any] = {ecodes.EV_KEY: keys}
    if axes:
        spans = {int(code): AbsInfo(rest, low, high, 0, 0, 0) for code, (low, high, rest) in axes.items()}
        events[ecodes.EV_ABS] = list(spans.items())
    PADS[name] = UInput(events, name=title, vendor=vendor, product=product, bustype=USB, phys=f"hil-{name}/input0")
    device = PADS[name].device
    return {"path": device.path if device is not None else ""}


def pull(name: str) -> dict[str, Any]:
    PADS.pop(name).close()
    return {}


def key(name: str, code: int, down: bool) -> dict[str, Any]:
    PADS[name].write(ecodes.EV_KEY, code, int(down))
    PADS[name].syn()
    return {}


def axis(name: str, code: int, value: int) -> dict[str, Any]:
    PADS[name].write(ecodes.EV_ABS, code, value)
    PADS[name].syn()
    return {}


def type_keys(name: str, codes: list[list[int]]) -> dict[str, Any]:
    """Press and let go of keys, one after the other; those of one entry are held together.

    Gives when the first entry was typed.
    """
    first_ns = 0
    for together in codes:
        for code in together:
            key(name, code, True)
        for code in reversed(together):
            key(name, code, False)
        first_ns = first_ns or time.monotonic_ns()
        time.sleep(0.002)
    return {"first_ns": first_ns}


def flood(name: str, code: int, times: int) -> dict[str, Any]:
    for _ in range(times):
        key(name, code, True)
        key(name, code, False)
    return {}


def heard(path: str) -> dict[str, Any]:
    """What another reader of the device has: nothing where somebody has it alone."""
    device = OTHERS.get(path) or InputDevice(path)
    OTHERS[path] = device
    try:
        return {"events": [(event.type, event.code, event.value) for event in device.read()]}
    except BlockingIOError:
        return {"events": []}


OTHERS: dict[str, InputDevice[str]] = {}
DOING: dict[str, Callable[..., dict[str, Any]]] = {
    "plug": plug, "pull": pull, "key": key, "axis": axis, "type": type_keys, "flood": flood, "heard": heard,
}  # fmt: skip


def main() -> None:
    print("ready", flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        before_ns = time.monotonic_ns()
        try:
            done = DOING[asked.pop("do")](**asked)
        except Exception as error:  # noqa: BLE001 - whatever it is, the host must hear of it
            done = {"error": repr(error)}
        print(json.dumps({"before_ns": before_ns, "after_ns": time.monotonic_ns(), **done}), flush=True)


if __name__ == "__main__":
    main()
