"""What a machine understands of what the box says: English by pocketsphinx, whose model comes in its package.

It knows the grammar of the box's sentences, with every colour, card, number and place wherever one may stand: it has
to hear which one was said.
"""

from __future__ import annotations

import array
import re
import wave
from pathlib import Path
from typing import TYPE_CHECKING

from companion.adapters.voice import EspeakNg
from companion.core.speech.utterance import Manner, Utterance

if TYPE_CHECKING:
    from collections.abc import Iterable

HEARING_HZ = 16_000
MANNER = Manner("en-us+f3", rate=150)
"""The recogniser's model is of American English; of espeak-ng's variants it understands this woman's best."""
SILENCE = bytes(2 * HEARING_HZ // 4)
"""A quarter of a second, before and after."""
WIDE = {"beam": 1e-70, "pbeam": 1e-70, "wbeam": 1e-50, "bestpath": False}
"""How much else it considers at any instant: a made voice is not what its model was made from."""

ONES = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
TENS = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]

GRAMMAR = """#JSGF V1.0;
grammar box;
public <says> = <seat> | <next> | <revealed> | <placed> | <order> | <settled> | <choose> | <over>;
<settled> = <takes> | <punished> | <nothing>;
<colour> = red | yellow | green | blue | purple;
<role> = chief | warrior | maiden | hunter;
<roles> = chiefs | warriors | maidens | hunters;
<who> = <colour> <role>;
<one> = one | two | three | four | five | six | seven | eight | nine;
<teen> = ten | eleven | twelve | thirteen | fourteen | fifteen | sixteen | seventeen | eighteen | nineteen;
<tens> = twenty | thirty | forty | fifty | sixty | seventy | eighty | ninety;
<below> = <one> | <teen> | <tens> [<one>];
<number> = zero | <below> | <one> hundred [and <below>];
<thing> = buffalo | necklace | teepee | tomahawk | totem pole;
<things> = buffalos | necklaces | teepees | tomahawks | totem poles;
<card> = <who> | <thing>;
<item> = <who> | one <thing> | <one> <things> | <one> <colour> <roles>;
<items> = <item> [<item> [<item> [<item>]]];
<seat> = <colour> has a seat;
<next> = <colour> turns the next card;
<revealed> = revealed <card>;
<placed> = <who> is first | two <who> <number> milliseconds behind;
<place> = <who> [punished];
<order> = pow wow (<one> | <teen>) final one <place> [two <place> [three <place>]];
<takes> = <who> takes <items>;
<why> = no <who> is face up | nothing lies there that a <role> could claim;
<punished> = <who> is punished because <why> and gives up <items>;
<nothing> = <who> gets nothing others were faster;
<choose> = <colour> must choose <item> or <item>;
<score> = <colour> <number>;
<over> = the match is over <score> <score> [<score>] <colour> wins;
"""

PRONOUNCED = {"teepee": "T IY P IY", "teepees": "T IY P IY Z", "buffalos": "B AH F AH L OW Z"}
"""Words that its dictionary lacks."""


def number_words(number: int) -> str:
    """Give a number as it is spoken: "one hundred and twenty four"."""
    if number < 20:
        return ONES[number]
    if number < 100:
        return f"{TENS[number // 10]} {ONES[number % 10]}" if number % 10 else TENS[number // 10]
    rest = f" and {number_words(number % 100)}" if number % 100 else ""
    return f"{number_words(number // 100)} hundred{rest}"


def words_of(text: str) -> str:
    """Give the words that are heard of a sentence, with numbers as words and nothing else."""
    spelt = re.sub(r"\d+", lambda found: number_words(int(found[0])), text.lower().replace("-", " "))
    return " ".join(re.sub(r"[^a-z' ]", " ", spelt).split())


class Ear:
    """Understands what is said by the grammar; None where it is none of that."""

    def __init__(self, grammar: str = GRAMMAR) -> None:
        from pocketsphinx import Decoder, get_model_path

        model = Path(get_model_path()) / "en-us"
        self._decoder = Decoder(
            hmm=str(model / "en-us"), dict=str(model / "cmudict-en-us.dict"), lm=None, loglevel="FATAL", **WIDE
        )
        for word, sounds in PRONOUNCED.items():
            if self._decoder.lookup_word(word) is None:
                self._decoder.add_word(word, sounds, update=False)
        self._decoder.add_jsgf_string("box", grammar)
        self._decoder.activate_search("box")

    def hears(self, sound: bytes) -> str | None:
        """Give the words of a sound: 16 bit, `HEARING_HZ`."""
        self._decoder.start_utt()
        self._decoder.process_raw(SILENCE + sound + SILENCE, no_search=False, full_utt=True)
        self._decoder.end_utt()
        found = self._decoder.hyp()
        return None if found is None else str(found.hypstr)


def spoken(texts: Iterable[str], folder: Path, manner: Manner = MANNER) -> dict[str, bytes]:
    """Have the box's own voice speak each text into a file, and give its sound as an ear takes it."""
    voice = EspeakNg()
    found = {}
    for number, text in enumerate(texts):
        file = folder / f"{number}.wav"
        voice.write(Utterance(number, text, manner), file)
        found[text] = sound_of(file)
    return found


def sound_of(file: Path) -> bytes:
    """Read a WAV file of one channel, at the rate of the ear."""
    with wave.open(str(file)) as opened:
        samples = array.array("h", opened.readframes(opened.getnframes()))
        rate = opened.getframerate()
    out = array.array("h")
    for index in range(len(samples) * HEARING_HZ // rate - 1):
        at, part = divmod(index * rate, HEARING_HZ)
        out.append(samples[at] + (samples[at + 1] - samples[at]) * part // HEARING_HZ)
    return out.tobytes()
