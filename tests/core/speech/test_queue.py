"""What is said first, what cuts off what, what is said again: the queue of a voice."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion.core.speech.queue import MOST_WAITING, Piece, SpeechQueue
from companion.core.speech.utterance import Heard, Phase, Urgency

CARD = Piece("Red turned the blue ten.", Urgency.NEWS)
FIRST = Piece("Red ace is first.", Urgency.NEWS)
ORDER = Piece("Pow-Wow 1, final. 1: red ace is first.", Urgency.RULING)
TAKES = Piece("Red takes the blue ten.", Urgency.RULING)
CHOICE = Piece("Red must choose.", Urgency.CHOICE)
ALARM = Piece("The display is gone.", Urgency.ALARM)
START = Piece("Blue ten.", Urgency.START, token=7)
CLOCK = Piece("One minute.", Urgency.CHATTER)


def ended(number: int, phase: Phase = Phase.ENDED) -> Heard:
    return Heard(number, phase, 0)


def begun(queue: SpeechQueue) -> tuple[int, Piece]:
    now = queue.take()
    assert now is not None
    return now


def spoken(queue: SpeechQueue) -> list[str]:
    """Let everything be said to its end, and give it in order."""
    texts = []
    while (taken := queue.take()) is not None:
        number, piece = taken
        texts.append(piece.text)
        queue.heard(ended(number))
    return texts


def test_what_is_more_pressing_goes_first_and_of_the_same_what_came_first():
    queue = SpeechQueue()
    queue.put([CLOCK, CHOICE, CARD, ORDER, TAKES, ALARM])
    assert spoken(queue) == [ALARM.text, ORDER.text, TAKES.text, CHOICE.text, CARD.text, CLOCK.text]


def test_news_wait_for_the_end_of_what_is_said():
    queue = SpeechQueue()
    queue.put([CARD])
    number, _ = begun(queue)
    queue.put([FIRST, CHOICE])
    assert queue.take() is None
    queue.heard(ended(number, Phase.BEGAN))
    assert queue.take() is None
    assert queue.heard(ended(number)) == CARD
    assert begun(queue)[1] == CHOICE


def test_a_new_ruling_cuts_off_the_old_one_and_its_tail_is_dropped():
    queue = SpeechQueue()
    queue.put([ORDER, TAKES, CHOICE])
    old, _ = begun(queue)
    new_order = Piece("Pow-Wow 2, final.", Urgency.RULING)
    queue.put([new_order])
    number, piece = begun(queue)
    assert piece == new_order
    queue.heard(ended(old, Phase.CUT))  # the voice tells it late, and it changes nothing
    assert not queue.is_silent
    queue.heard(ended(number))
    assert queue.is_silent


def test_the_pieces_of_one_ruling_do_not_cut_each_other_off():
    queue = SpeechQueue()
    queue.put([ORDER, TAKES])
    queue.take()
    assert queue.take() is None


def test_an_alarm_cuts_off_a_ruling_which_is_said_again_and_news_which_are_not():
    queue = SpeechQueue()
    queue.put([ORDER, TAKES])
    queue.take()
    queue.put([ALARM])
    assert spoken_after_cut(queue) == [ALARM.text, ORDER.text, TAKES.text]
    queue.put([CARD])
    queue.take()
    queue.put([ALARM])
    assert spoken_after_cut(queue) == [ALARM.text]


def spoken_after_cut(queue: SpeechQueue) -> list[str]:
    number, piece = begun(queue)
    queue.heard(ended(number))
    return [piece.text, *spoken(queue)]


def test_what_opens_a_race_is_never_cut_off():
    queue = SpeechQueue()
    queue.put([START])
    number, _ = begun(queue)
    queue.put([ALARM, ORDER])
    assert queue.take() is None
    opening = queue.heard(ended(number))
    assert opening is not None
    assert opening.token == 7


def test_what_opens_a_race_and_waits_as_another_does_is_given_back():
    queue = SpeechQueue()
    queue.put([START])
    queue.take()
    second = START._replace(text="Red ace.", token=8)
    queue.put([second])
    assert queue.put([START._replace(text="Red ten.", token=9)]) == [second]


def test_the_same_words_are_not_said_twice():
    queue = SpeechQueue()
    queue.put([CARD])
    queue.take()
    queue.put([CARD, FIRST, FIRST])
    queue.put([FIRST])
    queue.heard(ended(1))
    assert spoken(queue) == [FIRST.text]


def test_again_says_the_newest_batch_once_more_in_its_order():
    queue = SpeechQueue()
    queue.put([CARD])
    spoken(queue)
    queue.put([ORDER, TAKES, CHOICE])
    spoken(queue)
    queue.put([CLOCK])
    spoken(queue)
    queue.again()
    assert spoken(queue) == [ORDER.text, TAKES.text, CHOICE.text]
    queue.again()
    assert spoken(queue) == [ORDER.text, TAKES.text, CHOICE.text]


def test_again_in_the_middle_begins_at_the_beginning():
    queue = SpeechQueue()
    queue.put([ORDER, TAKES])
    queue.take()
    queue.again()
    assert begun(queue)[1] == ORDER


def test_again_with_nothing_said_yet_says_nothing():
    queue = SpeechQueue()
    queue.again()
    assert queue.take() is None


def test_a_voice_that_goes_gives_back_what_is_awaited_and_its_sentence_waits_for_the_next_voice():
    queue = SpeechQueue()
    queue.put([ORDER])
    queue.take()
    queue.put([START])
    assert queue.lost() == [START]
    queue.put([ORDER])
    queue.take()
    assert queue.lost() == []
    assert spoken(queue) == [ORDER.text]


def test_a_ruling_beside_an_alarm_makes_old_what_waits_all_the_same():
    queue = SpeechQueue()
    queue.put([CARD, CLOCK])
    queue.put([ORDER, ALARM])
    assert spoken(queue) == [ALARM.text, ORDER.text]


def test_what_opens_a_race_cuts_off_an_alarm_which_is_said_after_it():
    queue = SpeechQueue()
    queue.put([ALARM])
    queue.take()
    queue.put([START])
    assert spoken_after_cut(queue) == [START.text, ALARM.text]


def test_of_what_the_knob_is_on_only_the_newest_is_said_and_cuts_off_the_one_before():
    queue = SpeechQueue()
    first, second, third = (Piece(text, Urgency.NEWS, group="knob") for text in ("Undo.", "Leave.", "More."))
    queue.put([first])
    queue.take()
    queue.put([second])
    queue.put([third])
    assert spoken(queue) == [third.text]


def test_of_too_many_the_least_pressing_are_dropped():
    queue = SpeechQueue()
    queue.put([Piece(f"{n}", Urgency.NEWS) for n in range(2 * MOST_WAITING)])
    queue.put([ALARM])
    texts = spoken(queue)
    assert texts[0] == ALARM.text
    assert len(texts) == MOST_WAITING


PIECES = st.lists(
    st.builds(Piece, st.sampled_from("abcdefgh"), st.sampled_from(list(Urgency)[:-1]), st.none(), st.just("")),
    min_size=1,
    max_size=6,
)


@given(st.lists(PIECES, max_size=8))
def test_every_alarm_is_heard_whatever_else_comes(batches):
    queue = SpeechQueue()
    for batch in batches:
        queue.put(batch)
    alarms = {piece.text for batch in batches for piece in batch if piece.urgency is Urgency.ALARM}
    assert alarms <= set(spoken(queue))
