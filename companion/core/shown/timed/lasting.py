"""What stays on the display for a time, or until somebody dismisses it: a message, results, an order. Pure.

A message goes first, then what is below it: the final order before a choice is asked for, a page of results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.shown.scene import Results, Standing, Status
from companion.core.shown.times import NEVER_NS, until

if TYPE_CHECKING:
    from companion.core.shown.scene import Body
    from companion.core.shown.times import Times

_JUDGED = (Status.FINAL, Status.NOT_RECORDED)


class Lasting:
    """What is shown of one match, by how long it stays. now_ns: told by whoever knows it.

    since_ns: since when the results or the order has been shown. turned: how many of its pages have been dismissed.
    """

    def __init__(self, times: Times) -> None:
        self.times = times
        self.now_ns = self.since_ns = self.turned = 0
        self._notice: tuple[str, int | None] = ("", 0)  # and until when; None: it is dismissed

    @property
    def notice(self) -> str:
        """The message that is shown now, empty where there is none."""
        return self._notice[0]

    def notify(self, text: str) -> None:
        """Show a short message from now on."""
        self._notice = (text, until(self.now_ns, self.times.notice_ns))

    def menu_until(self, t_ns: int, times: int = 1) -> int:
        """Give until when a menu stays that the knob has used at this instant."""
        found = until(t_ns, self.times.menu_ns, times)
        return NEVER_NS if found is None else found

    def begin(self) -> None:
        """Results or an order are shown from now on."""
        self.since_ns, self.turned = self.now_ns, 0

    def advance(self, now_ns: int) -> None:
        """Let time pass."""
        text, until_ns = self._notice
        if text and until_ns is not None and now_ns >= until_ns:
            self._notice = ("", 0)

    def next_deadline(self, body: Body, *, must_decide: bool) -> int | None:
        """Give the instant at which what is shown changes by itself, None where it does not."""
        page_ns, order_ns = self.times.page_ns, self.times.order_ns
        instants = [self._notice[1]] if self.notice else []
        if isinstance(body, Results) and body.pages and page_ns is not None:
            instants.append(self.since_ns + ((self.now_ns - self.since_ns) // page_ns + 1) * page_ns)
        if isinstance(body, Standing) and must_decide and order_ns is not None:
            instants.append(self.since_ns + order_ns)
        return min((instant for instant in instants if instant is not None and instant > self.now_ns), default=None)

    def can_be_dismissed(self, body: Body) -> bool:
        """Tell whether something is shown that stays until it is dismissed."""
        if self.notice and self._notice[1] is None:
            return True
        if isinstance(body, Results):
            return self.times.page_ns is None and self.turned < body.pages
        return isinstance(body, Standing) and self._is_order(body)

    def dismiss(self) -> None:
        """Take off what stays until then: the message first, then what is below it."""
        if not self.dismiss_message():
            self.turned += 1

    def dismiss_message(self) -> bool:
        """Take off a message that stays until then; False where there is none."""
        is_there = bool(self.notice) and self._notice[1] is None
        if is_there:
            self._notice = ("", 0)
        return is_there

    def _is_order(self, body: Standing) -> bool:
        return self.times.order_ns is None and self.turned == 0 and body.status in _JUDGED
