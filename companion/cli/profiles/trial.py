"""`companion profiles trial`: a person presses the box's own buttons as they mean it, and the filters are proposed.

The trial of `companion doctor --buttons` asks whether a switch is well; this one asks what a hand needs. It prints each
touch with its length, and what it is under the filters as they are now. Knows Protocols, no adapter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.cli.button_trial import PATIENCE_NS
from companion.core.panel import BUTTONS, label_of
from companion.core.profiles.tremor import Asked, Touched, heard, propose, touches_of
from companion.core.timing.events import MS, SECOND, Edge, SourceFault

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.cli.button_trial import Ear
    from companion.core.panel import Button, Colour
    from companion.core.profiles.profile import Filters
    from companion.core.profiles.tremor import Proposal

ROUNDS = (1, 3, 2, 4, 1)
"""Which button is asked for in each round, from the left."""
AFTER_NS = 3 * SECOND // 2
"""After the press that was meant, so long is listened for what the hand does next."""
MEANT_NS = 400 * MS
"""A touch of the button that was asked for that lasts so long is the one that was meant."""
USUAL_BOUNCE_MS, USUAL_ACCEPT_MS = 20.0, 2.0


class Trial(NamedTuple):
    """What a trial has seen. proposal: None where nobody pressed."""

    touches: tuple[Touched, ...]
    proposal: Proposal | None


def try_hand(ear: Ear, colour: Colour, filters: Filters, say: Callable[[str], None]) -> Trial:
    """Ask for each round's button in turn, show every touch, and propose. filters: as the person has them now.

    The source must be open and unread. Raises Unavailable: the source was closed meanwhile.
    """
    places = {button.label: place for place, button in enumerate(_buttons(colour), 1)}
    ear.listen(ear.clock() + SECOND // 4)
    begun_ns = ear.clock()
    edges: list[tuple[int, int, bool]] = []
    rounds: list[Asked] = []
    for number, place in enumerate(ROUNDS, 1):
        rounds.append(Asked(place, (ear.clock() - begun_ns) / MS))
        say(f"{number} of {len(ROUNDS)}: press {_buttons(colour)[place - 1].label}, and hold it for a moment")
        if not _listen(ear, places, place, edges, say):
            say(f"nothing lasted for {MEANT_NS // MS} ms in {PATIENCE_NS // SECOND} s: the trial is over")
            return Trial((), None)
    touches = touches_of(sorted(edges, key=lambda edge: edge[1]), begun_ns, ear.clock())
    bounce_ms = USUAL_BOUNCE_MS if filters.bounce_ms is None else filters.bounce_ms
    accept_ms = USUAL_ACCEPT_MS if filters.accept_ms is None else filters.accept_ms
    for one in heard(touches, bounce_ms, accept_ms, filters.repeat_ms or 0):
        said = "counts" if one.is_press else f"no press: {one.why}"
        say(f"  button {one.place}: {one.length_ms:.0f} ms, {said}")
    proposal = propose(touches, rounds, bounce_ms)
    deaf = f", and its button is deaf for {proposal.repeat_ms} ms after it" if proposal.repeat_ms else ""
    say(f"proposed: a touch counts after {proposal.accept_ms} ms{deaf}")
    for sentence in proposal.says:
        say(sentence)
    return Trial(touches, proposal)


def _buttons(colour: Colour) -> list[Button]:
    return [button for button in BUTTONS if button.colour is colour]


def _listen(
    ear: Ear, places: dict[str, int], asked: int, edges: list[tuple[int, int, bool]], say: Callable[[str], None]
) -> bool:  # fmt: skip
    """Gather the edges of one round; tell whether the button that was asked for was held for long enough."""
    closed_ns: int | None = None
    patience_ns = ear.clock() + PATIENCE_NS
    until_ns, is_meant = patience_ns, False
    while events := ear.listen(until_ns):
        for event in events:
            if isinstance(event, SourceFault):
                say(f"  {event.source}: {event.text}")
            if not isinstance(event, Edge) or (place := places.get(label_of(event.line))) is None:
                continue
            edges.append((place, event.t_ns, event.active))
            if place != asked:
                continue
            if event.active:
                closed_ns = event.t_ns if closed_ns is None else closed_ns
            elif closed_ns is not None:
                is_meant = is_meant or event.t_ns - closed_ns >= MEANT_NS
                closed_ns = None
        if is_meant:
            until_ns = min(patience_ns, ear.clock() + AFTER_NS) if until_ns == patience_ns else until_ns
    return is_meant
