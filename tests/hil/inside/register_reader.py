"""Runs in the guest: looks at registers of chips on the I2C bus, again and again, and tells how they changed.

    register_reader.py BUS ADDRESS:REGISTER:LENGTH …

Prints `ready`. On SIGTERM it prints a line for each time that one of them had changed, `T_NS NUMBER VALUES…`: when it
was seen, which of those asked for, and its bytes; and `end`. Between two looks other users of the bus go first.
"""

import signal
import sys
import time

import smbus2

PAUSE_S = 0.002


def main() -> None:
    wanted = [tuple(int(part, 0) for part in text.split(":")) for text in sys.argv[2:]]
    told_to_end: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: told_to_end.append(number))
    seen: list[tuple[int, int, list[int]]] = []
    last: dict[int, list[int]] = {}
    with smbus2.SMBus(int(sys.argv[1])) as bus:
        print("ready", flush=True)
        while not told_to_end:
            for number, (address, register, length) in enumerate(wanted):
                values = bus.read_i2c_block_data(address, register, length)
                if values != last.get(number):
                    last[number] = values
                    seen.append((time.monotonic_ns(), number, values))
            time.sleep(PAUSE_S)
    for t_ns, number, values in seen:  # printing is slow in the guest, so it waits for the end
        print(t_ns, number, *values)
    print("end")


if __name__ == "__main__":
    main()
