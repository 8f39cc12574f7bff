"""How long the threads of a request's interrupts have waited, and whose interrupts were merged: what the kernel counts.

Linux keeps for each interrupt how often it came (`/sys/kernel/irq/N/per_cpu_count`) and for its thread how long it was
ready and did not run (`run_delay`, the second number of `/proc/PID/schedstat`). Both only grow. So between two looks:

- no single wait of the thread was longer than what both its waiting and its running grew by, once it was queued on its
  processor. A wake-up from another one, while that idles, has to get there first (`ttwu_queue_wakelist`, since Linux
  6.0), which nothing counts: so where interrupts came on another processor, `merge_ns` is added;
- where more interrupts came than events, some were merged, or one is on its way yet: that is only told apart once the
  line has been still for `STILL_NS`. Until then its edges may be merged ones; the other lines' are not.

An event may be queued between a reading and the look after it, and is read only later: so its wait is what has grown
since the last look at which no interrupt of its line was on its way, or since the look before the last. Over a pause
of the program that is the sum of many waits, which says little of one: then the stated wait holds, or the longest that
was seen without a pause. Where the machine does not tell (no such files, or they are hidden from this program),
`merge_ns` is all that is known.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from companion.core.timing.events import MS
from companion.core.words.texts import number, text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

PROC, IRQS = Path("/proc"), Path("/sys/kernel/irq")
PAUSE_NS = 10 * MS
"""Who reads an event so much later than it was has stood still: of so many waits the sum says little of one."""
STILL_NS = 20 * MS
"""No thread waits for so long for a processor while nothing of its line changes, and what it queued is read at once."""
MOST_BYTES = 1024
PROCESSOR = 37
"""The field of `/proc/PID/stat` with the processor, counted from the name's end."""


class _Counts(NamedTuple):
    """What has grown by `t_ns`: the waiting and running of a thread, and how many interrupts came on each processor."""

    t_ns: int

    waited_ns: int
    by_cpu: tuple[int, ...]

    @property
    def interrupts(self) -> int:
        return sum(self.by_cpu)


class _Look(NamedTuple):
    """How long a thread may have waited, once it was queued and before; and whether interrupts were merged."""

    wait_ns: int
    uncounted_ns: int
    has_merged: bool


class _Limits(NamedTuple):
    """As `InterruptThreads` takes them."""

    merge_ns: int
    still_ns: int
    clock: Callable[[], int]


class _Thread:
    """The thread of one line: its counts at the last look, and those that what it does next is counted from."""

    def __init__(self, schedstat: int, per_cpu_count: int, stat: int, limits: _Limits) -> None:
        """schedstat, per_cpu_count, stat: open files."""
        self._files = schedstat, per_cpu_count, stat
        self._limits = limits
        self._cpu = self._runs_on()
        self._last = self._since = self.counts()
        self._still = self._last.interrupts  # more interrupts than events, when the line was last still
        self._seen, self._seen_ns = (self._last.interrupts, 0), self._last.t_ns  # interrupts and events, and since when

    def counts(self) -> _Counts:
        schedstat, per_cpu = (os.pread(file, MOST_BYTES, 0) for file in self._files[:2])
        ran_ns, waited_ns, *_ = schedstat.split()
        return _Counts(self._limits.clock(), int(ran_ns) + int(waited_ns), tuple(map(int, per_cpu.split(b","))))

    def look(self, read_ns: int, events: int) -> _Look:
        """Return what is known of its waits, after a reading. events: the line's newest number."""
        now = self.counts()
        has_merged = self._has_more(read_ns, now, events)
        uncounted_ns = self._limits.merge_ns if self._was_woken_from_elsewhere(now) else 0
        found = _Look(now.waited_ns - self._since.waited_ns, uncounted_ns, has_merged)
        self._since = self._last if has_merged else now  # the reading took all that was queued by the last look
        self._last = now
        return found

    def watch(self, read_ns: int, events: int) -> None:
        """Note what is counted: an event may have been queued since the reading, whose wait is yet to be told."""
        now = self.counts()
        if not self._has_more(read_ns, now, events):
            self._since = now
        self._last = now

    def _has_more(self, read_ns: int, now: _Counts, events: int) -> bool:
        """Tell whether interrupts were merged, or one is on its way; none is once the line has been still.

        That is from when its interrupts were counted, however long after a reading, until the next one began.
        """
        more, seen = now.interrupts - events, (now.interrupts, events)
        if seen != self._seen:
            self._seen, self._seen_ns = seen, now.t_ns
        elif read_ns - self._seen_ns >= self._limits.still_ns:
            self._still = more
        if more < self._still:  # no event comes without an interrupt: this one's had waited for longer than that
            self._still = more
            return True
        return more > self._still

    def _was_woken_from_elsewhere(self, now: _Counts) -> bool:
        """Tell whether interrupts may have come on another processor than the thread's own."""
        came_on = {cpu for cpu, (new, old) in enumerate(zip(now.by_cpu, self._since.by_cpu, strict=True)) if new > old}
        if not came_on:
            return False
        before, self._cpu = self._cpu, self._runs_on()
        return came_on != {self._cpu} or before != self._cpu

    def _runs_on(self) -> int:
        """Return the processor it ran on last (`proc(5)`); a thread's name may have spaces, and ends with a bracket."""
        stat = os.pread(self._files[2], MOST_BYTES, 0)
        return int(stat[stat.rindex(b")") :].split()[PROCESSOR])

    def close(self) -> None:
        for file in self._files:
            os.close(file)


class InterruptThreads:
    """The threads of the lines of one request, found by its consumer's name. lines: their GPIO numbers.

    merge_ns: how long a thread may wait where the machine does not tell, and as long as it may be on its way to another
    processor. still_ns: so long after an interrupt its event has surely been queued. clock: CLOCK_MONOTONIC.
    """

    def __init__(
        self,
        consumer: str,
        lines: Iterable[int],
        merge_ns: int,
        *,
        still_ns: int = STILL_NS,
        clock: Callable[[], int] = time.monotonic_ns,
        proc: Path = PROC,
        irqs: Path = IRQS,
    ) -> None:
        self._merge_ns = merge_ns
        self._threads: dict[int, _Thread] = {}
        self.longest_ns = 0
        """The longest that any of them may have waited, once it was queued, while the program read in time."""
        with contextlib.suppress(OSError, ValueError):
            self._threads = _found(consumer, set(lines), _Limits(merge_ns, still_ns, clock), proc, irqs)

    @property
    def are_known(self) -> bool:
        """Tell whether the machine tells how long they wait."""
        return bool(self._threads)

    def look(
        self, read_ns: int, numbers: Mapping[int, int], *, has_paused: bool
    ) -> tuple[dict[int, int], set[int] | None]:
        """Return how long each may have waited for what was just read, and which lines have merged (None: unknown).

        read_ns: when the reading began. numbers: how many events each of these lines had so far. has_paused: what was
        read had waited for `PAUSE_NS`.
        """
        if not self._threads:
            return dict.fromkeys(numbers, self._merge_ns), None
        try:
            looks = {line: self._threads[line].look(read_ns, count) for line, count in numbers.items()}
        except (OSError, ValueError):  # they ended with the chip
            self.close()
            return dict.fromkeys(numbers, self._merge_ns), None
        most_ns = max(self._merge_ns, self.longest_ns)
        if not has_paused:
            most_ns = self.longest_ns = max(self.longest_ns, *(look.wait_ns for look in looks.values()), 0)
        waits_ns = {line: min(look.wait_ns, most_ns) + look.uncounted_ns for line, look in looks.items()}
        return waits_ns, {line for line, look in looks.items() if look.has_merged}

    def watch(self, read_ns: int, numbers: Mapping[int, int]) -> None:
        """Take note of what the kernel counts while nothing is read. read_ns, numbers: of the newest reading."""
        with contextlib.suppress(OSError, ValueError):  # they ended with the chip, which the next reading tells
            for line, thread in self._threads.items():
                thread.watch(read_ns, numbers[line])

    @property
    def unmeasured_ns(self) -> int:
        """How long one is taken to have waited for what was read long after the look that would have told."""
        return max(self._merge_ns, self.longest_ns) + self._merge_ns if self._threads else self._merge_ns

    def close(self) -> None:
        """Close the files; may be called again."""
        for thread in self._threads.values():
            thread.close()
        self._threads = {}


def wait_words(merge_ns: int, *, is_counted: bool) -> str:
    """Say how long interrupts' threads are taken to wait. is_counted: the machine tells."""
    if is_counted:
        says = text(
            "interrupts' threads wait for as long as the kernel counts, and up to {merge} ms more where it cannot count"
        )
    else:
        says = text("the kernel does not tell how long interrupts' threads wait: {merge} ms is assumed")
    return says.format(merge=number(f"{merge_ns / MS:g}"))


def _found(consumer: str, lines: set[int], limits: _Limits, proc: Path, irqs: Path) -> dict[int, _Thread]:
    """Find the threads of all lines; none where one of them is not to be found, or two are for one."""
    by_irq: dict[str, int] = {}
    for irq in irqs.iterdir():
        if (irq / "actions").read_text(encoding="utf-8").strip() == consumer:
            line = int((irq / "hwirq").read_text(encoding="utf-8"))
            by_irq |= {irq.name: line} if line in lines else {}
    if len(by_irq) != len(lines):
        return {}
    found: dict[int, _Thread] = {}
    for process in proc.iterdir():
        if not process.name.isdigit():
            continue
        with contextlib.suppress(OSError):
            kind, _, rest = (process / "comm").read_text(encoding="utf-8").partition("/")
            irq_name = rest.partition("-")[0]
            if kind == "irq" and irq_name in by_irq:
                found[by_irq[irq_name]] = _opened(process, irqs / irq_name, limits)
    if found.keys() == lines:
        return found
    for thread in found.values():
        thread.close()
    return {}


def _opened(process: Path, irq: Path, limits: _Limits) -> _Thread:
    files: list[int] = []
    try:
        for path in (process / "schedstat", irq / "per_cpu_count", process / "stat"):
            files += [os.open(path, os.O_RDONLY | os.O_CLOEXEC)]
        schedstat, per_cpu_count, stat = files
        return _Thread(schedstat, per_cpu_count, stat, limits)
    except BaseException:
        for file in files:
            os.close(file)
        raise
