"""What the kernel counts of a request's interrupts, on files that are laid out as Linux lays them out."""

import pytest

from companion.adapters.gpio.interrupt_threads import STILL_NS, InterruptThreads
from companion.core.timing.events import MS, SECOND
from tests.fakes.interrupt_counts import MERGE_NS, Machine

US = 1_000


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


@pytest.fixture
def threads(machine):
    threads = machine.threads()
    yield threads
    threads.close()


def all_known(threads):
    return threads.look(SECOND, {5: 0, 6: 0}, has_paused=False)


@pytest.fixture
def look(machine, threads):
    """Looks after a reading at `read_ns`, by default at once."""

    def looked(read_ns, five=0, six=0, *, has_paused=False, after_ns=0):
        machine.now_ns = read_ns + after_ns
        return threads.look(read_ns, {5: five, 6: six}, has_paused=has_paused)

    return looked


def test_a_thread_waited_no_longer_than_what_has_grown_since_nothing_of_its_line_was_on_its_way(machine, threads, look):
    machine.count(55, interrupts=1, ran_ns=10 * US, waited_ns=40 * US)
    assert look(SECOND, 1)[0] == {5: 50 * US, 6: 0}
    machine.count(55, interrupts=2, ran_ns=20 * US, waited_ns=340 * US)
    assert look(SECOND + MS, 2)[0][5] == 310 * US
    assert look(SECOND + 2 * MS, 2)[0][5] == 0
    assert threads.longest_ns == 310 * US


def test_a_thread_waited_no_longer_than_what_has_grown_since_the_look_before_the_last(machine, threads, look):
    """What was queued between a reading and its look is only read after the next one."""
    machine.count(55, interrupts=2, ran_ns=10 * US, waited_ns=40 * US)
    assert look(SECOND, 1)[0][5] == 50 * US
    machine.count(55, interrupts=3, ran_ns=20 * US, waited_ns=340 * US)
    assert look(SECOND + MS, 2)[0][5] == 360 * US
    assert look(SECOND + 2 * MS, 2)[0][5] == 310 * US
    assert look(SECOND + 3 * MS, 2)[0][5] == 0
    assert threads.longest_ns == 360 * US


def test_a_look_with_no_reading_before_it_takes_nothing_from_an_event_that_is_queued_by_then(machine, threads, look):
    """A check looked twice: of three interrupts within 88 us one event was told as certain, and was 74 us late."""
    machine.count(55, interrupts=3, ran_ns=10 * US, waited_ns=90 * US)
    look(SECOND)
    threads.watch(SECOND + US, {5: 0, 6: 0})
    assert look(SECOND + 2 * US, 1) == ({5: 100 * US, 6: 0}, {5})


def test_a_wake_up_from_another_processor_may_take_longer_than_is_counted(machine, threads, look):
    """While the thread's processor idles, it is only queued once that one has been told."""
    machine.count(55, interrupts=2, ran_ns=10 * US, waited_ns=40 * US, elsewhere=1)
    assert look(SECOND, 2)[0] == {5: 50 * US + MERGE_NS, 6: 0}
    assert threads.longest_ns == 50 * US, "it says what was counted"
    machine.runs_on(55, 1)
    machine.count(55, interrupts=3, ran_ns=10 * US, waited_ns=40 * US, elsewhere=2)
    assert look(2 * SECOND, 3)[0][5] == MERGE_NS, "the thread has just moved there"
    machine.count(55, interrupts=4, ran_ns=10 * US, waited_ns=40 * US, elsewhere=3)
    assert look(3 * SECOND, 4)[0][5] == 0


def test_more_interrupts_than_events_were_merged_on_that_line_alone(machine, threads, look):
    machine.count(55, interrupts=3, ran_ns=0, waited_ns=0)
    machine.count(56, interrupts=1, ran_ns=0, waited_ns=0)
    assert look(SECOND, 1, 1)[1] == {5}


def test_an_interrupt_on_its_way_may_be_a_merged_one_until_the_line_has_been_still(machine, threads, look):
    """Its event may stand for the next change, too: the counts are alike then."""
    machine.count(55, interrupts=2, ran_ns=0, waited_ns=0)
    assert look(SECOND, 1)[1] == {5}
    assert look(SECOND + MS, 2)[1] == set()
    machine.count(55, interrupts=4, ran_ns=0, waited_ns=0)
    assert look(SECOND + 2 * MS, 3)[1] == {5}
    assert look(SECOND + 3 * MS, 3)[1] == {5}
    assert look(SECOND + 2 * MS + STILL_NS, 3)[1] == set()
    machine.count(55, interrupts=6, ran_ns=0, waited_ns=0)
    assert look(2 * SECOND, 4)[1] == {5}


def test_a_line_is_still_from_when_its_interrupts_were_counted(machine, look):
    """The reader stood still between its reading and its look: an event that was queued meanwhile is read next."""
    machine.count(55, interrupts=1, ran_ns=0, waited_ns=0)
    assert look(SECOND, after_ns=2 * STILL_NS)[1] == {5}
    assert look(SECOND + 2 * STILL_NS + MS)[1] == {5}
    assert look(SECOND + 3 * STILL_NS, 1)[1] == set()
    machine.count(55, interrupts=3, ran_ns=0, waited_ns=0)
    assert look(2 * SECOND, 2)[1] == {5}


def test_an_event_that_comes_after_its_line_was_taken_for_still_may_be_merged(machine, look):
    """A thread that no processor was free for: it waited for 50 ms, and three interrupts came."""
    machine.count(55, interrupts=3, ran_ns=0, waited_ns=0)
    look(SECOND)
    assert look(SECOND + 40 * MS)[1] == set()
    machine.count(55, interrupts=3, ran_ns=0, waited_ns=50 * MS)
    assert look(SECOND + 50 * MS, 1) == ({5: 50 * MS, 6: 0}, {5})
    machine.count(55, interrupts=5, ran_ns=0, waited_ns=50 * MS)
    assert look(SECOND + 51 * MS, 2)[1] == {5}
    assert look(SECOND + 52 * MS + STILL_NS, 2)[1] == set()


def test_over_a_pause_the_sum_of_all_waits_is_not_taken_for_one(machine, threads, look):
    machine.count(55, interrupts=400, ran_ns=0, waited_ns=22 * MS)
    assert look(SECOND, 400, has_paused=True)[0][5] == MERGE_NS
    assert threads.longest_ns == 0, "nor does it count as one that was seen"


def test_what_was_seen_to_be_longer_holds_over_a_pause(machine, threads, look):
    machine.count(55, interrupts=1, ran_ns=0, waited_ns=5 * MS)
    look(SECOND, 1)
    machine.count(55, interrupts=400, ran_ns=0, waited_ns=30 * MS)
    assert look(2 * SECOND, 400, has_paused=True)[0][5] == 5 * MS


@pytest.mark.parametrize("hidden", ["156/comm", "156/schedstat", "156/stat"])
def test_where_a_thread_cannot_be_seen_nothing_is_known_of_any(machine, hidden):
    (machine.proc / hidden).unlink()
    threads = machine.threads()
    assert not threads.are_known
    assert all_known(threads) == ({5: MERGE_NS, 6: MERGE_NS}, None)


def test_where_the_kernel_counts_no_interrupts_nothing_is_known(tmp_path):
    threads = InterruptThreads("companion 5", (5,), MERGE_NS, proc=tmp_path, irqs=tmp_path / "none")
    assert threads.look(SECOND, {5: 0}, has_paused=False)[1] is None


def test_threads_that_have_ended_are_not_known_any_more(machine, threads):
    (machine.proc / "155" / "schedstat").write_text("")
    assert all_known(threads) == ({5: MERGE_NS, 6: MERGE_NS}, None)
    assert not threads.are_known
