"""A button source whose events stand in a list, and the clock and the waiting that go with it: nothing sleeps."""

from companion.core.errors import Unavailable


class ScriptedSource:
    """Gives each event when the clock has come to its time; `wait` moves the clock there."""

    name = "scripted"
    delay_ns = 0
    error_ns = 20_000
    remark: str | None = None
    certificate: str | None = None
    given_until_ns = None
    is_gone = False

    def __init__(self, events, error=None):
        self.events = list(events)
        self.error = error
        self.now_ns = 0
        self.is_closed = False

    def open(self):
        if self.error:
            raise Unavailable(self.error)

    def fileno(self):
        return 0

    def read(self):
        due = [event for event in self.events if event.t_ns <= self.now_ns]
        self.events = self.events[len(due) :]
        return due

    def check(self):
        pass

    def close(self):
        self.is_closed = True

    def clock(self):
        return self.now_ns

    def wait(self, fd, timeout_ns):
        until_ns = self.now_ns + timeout_ns
        if self.events and self.events[0].t_ns <= until_ns:
            self.now_ns = max(self.now_ns, self.events[0].t_ns)
            return True
        self.now_ns = until_ns
        return False
