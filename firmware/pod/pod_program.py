# A pod: tells the host the edges that its interrupts have stamped, answers for its clock, switches its lamps.
#
# One loop, `step`: it allocates nothing, uses no floats and never writes to flash (which would hold every interrupt).
# The bytes it speaks are in firmware/README.md; the host's end is companion/core/pods/link.py.
from struct import pack_into
from time import ticks_add, ticks_diff, ticks_us

import micropython
from pod_frames import FrameIn, FrameOut
from pod_ring import HEAD, MASK, OVERRUNS, TAIL, Ring

FIRMWARE = (1, 1, 0)
OLDEST = NEWEST = 1  # versions of the protocol
PER_FRAME = 7  # edges in one frame
AGAIN_US = 100_000  # what the host has not said to have after so long is sent again
MOST_LINES = 24
DARK_US = 334_000  # a lamp goes on no sooner after it last did: not more than three times in any second
READ_AT_ONCE = 64  # bytes taken in one step, so that edges are not kept waiting by a talkative host

HELLO, PING, ACK, LAMPS, ASK_REPORT, TO_REPL, HEARD = 1, 2, 3, 4, 5, 6, 7
IDENTITY, PONG, EDGES, BASELINE, REPORT = 0x81, 0x82, 0x83, 0x84, 0x85


class Pod:
    """The pod's program. port: `read_byte() -> int` (-1: none), `can_write()`, `write(buf, length)`.

    board: `unique_id`, `boot`, `cause`, `resets`, `quiet()` and `loud(state)` around what no interrupt may disturb,
    `feed()` for the watchdog, `to_repl()`. lamps: a pin by line, None where a line has none.
    """

    def __init__(self, pins, lamps, active_value, port, board):
        self.ring = Ring(pins, active_value)
        self._lamps = lamps
        self._port = port
        self._board = board
        self._in = FrameIn()
        self._out = FrameOut()
        self._last = ticks_us()
        self._wraps = 0
        self._seconds = 0
        self._second_at = self._last
        self._sent = 0  # edges below this number have been sent at least once since they were last due
        self._heard = 0  # edges below this number have come to the host, and are kept until it acknowledges them
        self._told_overruns = 0
        self._is_talking = False
        self._lit = 0
        self._blinking = 0
        self._shown = 0
        self._rose = [ticks_add(self._last, -DARK_US)] * MOST_LINES  # when each lamp went on last

    @micropython.native
    def step(self):
        """Do what there is to do; never waits."""
        head = self.ring.state[HEAD]
        now = ticks_us()
        self._keep_time(now)
        self.ring.note(head, now, self._wraps)
        self._read()
        if self._is_talking:
            self._send_edges(now, head)
        self._light(now)
        self._board.feed()

    @micropython.native
    def _keep_time(self, now):
        if now < self._last:
            self._wraps = (self._wraps + 1) & 0xFFFF
        self._last = now
        while ticks_diff(now, self._second_at) >= 1_000_000:
            self._second_at = ticks_add(self._second_at, 1_000_000)
            self._seconds += 1

    # -- from the host -------------------------------------------------------------------------------------------------

    @micropython.native
    def _read(self):
        read_byte = self._port.read_byte
        frame = self._in
        feed = frame.feed
        count = 0
        while count < READ_AT_ONCE:
            byte = read_byte()
            if byte < 0:
                return
            if feed(byte):
                self._obey(frame)
            count += 1

    def _obey(self, frame):
        kind = frame.buf[1]
        length = frame.end - 1
        if kind == PING and length == 3:
            if self._is_talking:  # a pod that began anew is silent until it is called: the host must know of it
                self._pong(frame.get16(2))
        elif (kind == ACK or kind == HEARD) and length == 9 and self._is_our_boot(frame, 2):  # noqa: SIM109, PLR1714
            # Not `in` a tuple, which would be a new object. A number above 30 bits cannot be one of ours; the two bits
            # are not even looked at as a number.
            if frame.buf[9] < 0x40:
                self._note(kind, frame.get16(6) | frame.get16(8) << 16)
        elif kind == HELLO and length == 3:
            self._greet(frame.buf[2], frame.buf[3])
        elif kind == LAMPS and length == 9:
            self._lit = frame.get16(2) | frame.buf[4] << 16
            self._blinking = frame.get16(6) | frame.buf[8] << 16
        elif kind == ASK_REPORT and length == 1:
            self._report()
        elif kind == TO_REPL and length == 5 and frame.buf[2:6] == b"REPL":
            self._board.to_repl()

    def _note(self, kind, next_seq):
        """The host has every edge before `next_seq`; acknowledged, it need not be kept either."""
        if kind == ACK:
            self.ring.forget(next_seq)
        elif self._heard < next_seq <= self.ring.state[HEAD]:
            self._heard = next_seq

    def _is_our_boot(self, frame, at):
        boot = self._board.boot
        for place in range(4):
            if frame.buf[at + place] != boot[place]:
                return False
        return True

    def _greet(self, oldest, newest):
        """A host calls: say who this is, the levels before what is kept, and send all that again."""
        version = min(newest, NEWEST)
        if version < OLDEST or version < oldest:
            version = 0
        lines = len(self.ring.pins)
        lamps = 0
        for line in range(lines):
            if self._lamps[line] is not None:
                lamps |= 1 << line
        board = self._board
        buf = self._out.buf
        pack_into("<BBBB8s3BBI", buf, 1, IDENTITY, OLDEST, NEWEST, version, board.unique_id, *FIRMWARE, lines, lamps)
        pack_into("<4s", buf, 21, board.boot)
        self._write(25)
        self._is_talking = version > 0
        if self._is_talking:
            self._baseline()

    # -- to the host ---------------------------------------------------------------------------------------------------

    def _write(self, end):
        """Send the payload that lies in buf[1:end]."""
        out = self._out
        out.end(end)
        self._port.write(out.buf, out.length)

    def _baseline(self):
        ring = self.ring
        if ring.state[OVERRUNS] != self._told_overruns:
            self._make_up_for_overrun()
        tail = ring.state[TAIL]
        mask = 0
        for line in range(len(ring.kept_active)):
            if ring.kept_active[line]:
                mask |= 1 << line
        waiting = ring.state[HEAD] - tail
        pack_into("<B4sIHI", self._out.buf, 1, BASELINE, self._board.boot, tail, waiting, mask)
        self._write(16)
        self._sent = self._heard = tail

    @micropython.native
    def _pong(self, number):
        now = ticks_us()
        self._keep_time(now)
        pack_into("<BHHI", self._out.buf, 1, PONG, number, self._wraps, now)
        self._write(10)

    def _report(self):
        state = self.ring.state
        board = self._board
        buf = self._out.buf
        pack_into("<BIBHI", buf, 1, REPORT, self._seconds, board.cause, board.resets, state[OVERRUNS])
        pack_into("<HH", buf, 13, self._in.bad, state[HEAD] - state[TAIL])
        self._write(17)

    def _send_edges(self, now, head):
        """Send what is new; where the oldest that has not come was sent too long ago, all from it on once more.

        New edges never put that off: the host takes none of them before it has the one that was lost.
        """
        ring = self.ring
        tail = ring.state[TAIL]
        if self._heard < tail:
            self._heard = tail
        if self._sent < self._heard:
            self._sent = self._heard
        if tail == head:
            if ring.state[OVERRUNS] != self._told_overruns:
                self._report()
                self._baseline()
            return
        if self._sent > self._heard and ticks_diff(now, ring.sent[self._heard & MASK]) > AGAIN_US:
            self._sent = self._heard
        while self._sent < head and self._port.can_write():
            self._send_frame(min(head, self._sent + PER_FRAME), ticks_us())

    @micropython.native
    def _send_frame(self, until, now):
        ring = self.ring
        buf = self._out.buf
        sent = ring.sent
        seq = self._sent
        pack_into("<B4sIIB", buf, 1, EDGES, self._board.boot, seq, ring.state[OVERRUNS], until - seq)
        end = 15
        while seq < until:
            at = seq & 1023
            pack_into("<BHI", buf, end, ring.what[at], ring.wraps[at], ring.stamps[at])
            sent[at] = now
            end += 7
            seq += 1
        self._write(end)
        self._sent = until

    def _make_up_for_overrun(self):
        """Once all that was kept has been taken, what was dropped after it is made up for by the levels as they are."""
        ring = self.ring
        held = self._board.quiet()
        if ring.state[HEAD] == ring.state[TAIL]:
            for line in range(len(ring.active)):
                ring.kept_active[line] = ring.active[line]
            self._told_overruns = ring.state[OVERRUNS]
        self._board.loud(held)

    # -- lamps ---------------------------------------------------------------------------------------------------------

    def _light(self, now):
        """Show the lamps; those that blink change about twice a second."""
        on = self._lit & ~self._blinking
        if now & 0x40000:
            on |= self._blinking
        on &= ~self._too_soon(on & ~self._shown, now)
        if on == self._shown:
            return
        self._shown = on
        for line in range(len(self._lamps)):
            lamp = self._lamps[line]
            if lamp is not None:
                lamp.value(on >> line & 1)

    @micropython.native
    def _too_soon(self, rising, now):
        """Tell which of these lamps have gone on too lately to go on again, and keep the time of the others."""
        held = 0
        line = 0
        while rising >> line:
            if rising >> line & 1:
                if 0 <= ticks_diff(now, self._rose[line]) < DARK_US:
                    held |= 1 << line
                else:
                    self._rose[line] = now
            line += 1
        return held
