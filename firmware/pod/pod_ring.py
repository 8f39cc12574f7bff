# Edges, stamped in hard interrupts and kept until the host has acknowledged them.
#
# The interrupt handlers allocate nothing and touch no number above 30 bits: a new object in a hard interrupt is an
# error there. All handlers of a pod run in one interrupt, one after the other, so that they need no lock among each
# other; the main loop reads `state[HEAD]` before what lies below it.
from array import array
from time import ticks_us

import micropython

SIZE = 1024  # edges kept; a power of two
HEAD = 0  # number of the next edge
TAIL = 1  # number of the oldest edge that is kept
OVERRUNS = 2  # edges dropped because SIZE were kept
MASK = SIZE - 1


class Ring:
    """The kept edges of all lines. active: by line, 1 where the newest stamp closed the contact."""

    def __init__(self, pins, active_value):
        self.state = array("I", (0, 0, 0))
        self.stamps = array("I", bytes(4 * SIZE))
        self.wraps = array("H", bytes(2 * SIZE))
        self.sent = array("I", bytes(4 * SIZE))  # when each was sent last
        self.what = bytearray(SIZE)  # line, and 0x80 where the contact closed
        self.active = bytearray(len(pins))
        self.kept_active = bytearray(len(pins))  # the levels before the oldest kept edge
        self._noted = 0  # edges below this number have their wraps
        self.pins = pins
        self._active_value = active_value
        self.look()
        arrays = (self.state, self.stamps, self.what, self.active)
        self.handlers = [_handler(arrays, line, pins[line].value, active_value) for line in range(len(pins))]

    def look(self):
        """Take the lines' levels as they are now, with the interrupts held and before the first edge."""
        for line in range(len(self.pins)):
            self.active[line] = self.kept_active[line] = self.pins[line].value() == self._active_value

    def note(self, head, now, wraps):
        """Give the new edges before `head` the number of times that the counter had wrapped at their stamp.

        head was read before `now` was: a stamp that is greater than `now` is from before the newest wrap.
        """
        seq = self._noted
        while seq < head:
            at = seq & MASK
            self.wraps[at] = wraps if self.stamps[at] <= now else (wraps - 1) & 0xFFFF
            seq += 1
        self._noted = head

    def forget(self, next_seq):
        """The host has taken every edge before `next_seq`."""
        state = self.state
        if next_seq > self._noted:
            return
        seq = state[TAIL]
        while seq < next_seq:
            what = self.what[seq & MASK]
            self.kept_active[what & 0x7F] = what >> 7
            seq += 1
        state[TAIL] = seq


def _handler(arrays, line, read, active_value):
    """Make one line's interrupt handler.

    A closure of more than four variables is called by way of the heap, which is locked in a hard interrupt: the arrays
    come as one tuple.
    """

    @micropython.native
    def on_edge(_):
        now = ticks_us()
        level = read() == active_value
        state, stamps, what, active = arrays
        active[line] = level
        head = state[0]
        if head - state[1] >= 1024:
            if state[2] < 0x3FFFFFFF:  # beyond that it would not be a small integer
                state[2] += 1
            return
        at = head & 1023
        stamps[at] = now
        what[at] = line | 0x80 if level else line
        state[0] = head + 1

    return on_edge
