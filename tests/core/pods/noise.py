"""Random and mutated bytes into both readers of the pods' line: the host's whole link, and the pod's frames.

    python -m tests.core.pods.noise [--bytes 10000000] [--seed 1]

feeds so many of each kind into each, and ends with status 1 at the first that is taken for a message. A frame is closed
by a CRC-32, which finds every change within 32 bits in a row; of other changes one in 2^32 passes. Ten million mutated
bytes are some 400,000 frames: that one of them passes by chance has a probability of about 0.0001.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from typing import TYPE_CHECKING

from companion.core.pods.frames import encode_frame
from companion.core.pods.link import LineEdge, LineLevels, Met, PodLink
from companion.core.pods.messages import Ack, Heard, Hello, Lamps, Ping, ToRepl, encode_message
from companion.core.timing.events import MS
from tests.core.pods.pod_rig import LinkedPod
from tests.fakes.pico import FakePico

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PORTION = 4096


def random_bytes(count: int, chance: random.Random) -> Iterator[bytes]:
    """Noise in portions; every other one with as many zeros as frames have."""
    zeros = bytes(byte if byte % 16 else 0 for byte in range(256))
    for number in range(-(-count // PORTION)):
        noise = chance.randbytes(PORTION)
        yield noise.translate(zeros) if number % 2 else noise


def mutated_bytes(count: int, chance: random.Random, frames: list[bytes]) -> Iterator[bytes]:
    """Frames, each with a bit flipped, a byte changed, left out or put in, two swapped, or cut off; none as it was."""
    done = 0
    while done < count:
        portion = b"".join(mutated(chance.choice(frames), chance) for _ in range(100))
        done += len(portion)
        yield portion


def mutated(frame: bytes, chance: random.Random) -> bytes:
    """Change a frame; its end stays, so that the next one is a frame of its own."""
    while True:
        wrong = bytearray(frame[:-1])
        for _ in range(chance.choice((1, 1, 1, 2, 5))):
            at = chance.randrange(len(wrong))
            match chance.randrange(5):
                case 0:
                    wrong[at] ^= 1 << chance.randrange(8)
                case 1:
                    wrong[at] = chance.randrange(1, 256)
                case 2 if len(wrong) > 1:
                    del wrong[at]
                case 3:
                    wrong.insert(at, chance.randrange(1, 256))
                case _:
                    wrong[at], wrong[-1] = wrong[-1], wrong[at]
        parts = (bytes(part) + b"\0" for part in wrong.split(b"\0"))
        if all(part not in (frame, b"\0") for part in parts):
            return bytes(wrong) + b"\0"


def of_a_pod() -> tuple[PodLink, list[bytes], int]:
    """Give a link that talks with a pod, what the pod has said, frame by frame, and when that was."""
    rig, said = LinkedPod(), bytearray()
    take = rig.pico.take

    def listen() -> bytes:
        data = take()
        said.extend(data)
        return data

    rig.pico.take = listen  # type: ignore[method-assign]
    for number in range(60):
        rig.change(number % 4)
        rig.turns(3)
    frames = [frame + b"\0" for frame in bytes(said).split(b"\0") if frame]
    return rig.link, sorted(set(frames)), rig.now_ns


def into_the_host(portions: Iterator[bytes], link: PodLink, now_ns: int) -> None:
    """Have a link that talks read them. Raises AssertionError where they are taken for anything that a pod said."""
    for portion in portions:
        now_ns += MS
        events = [*link.receive(portion, now_ns), *link.advance(now_ns)]
        assert not [event for event in events if isinstance(event, (LineEdge, LineLevels, Met))], events


def into_the_pod(portions: Iterator[bytes], reader: Callable[[int], bool]) -> None:
    """Have the pod's own reader take them. Raises AssertionError where it finds a frame."""
    for portion in portions:
        assert not any(map(reader, portion)), portion.hex()
        reader(0)


def to_a_pod() -> list[bytes]:
    """Give frames of every kind that a host sends."""
    messages = (Hello(), Ping(7), Ping(0x1200), Ack(9, 70_000), Heard(9, 70_001), Lamps(3, 1), ToRepl())
    return [encode_frame(encode_message(message)) for message in messages]


def feed_all(count: int, seed: int) -> int:
    """Feed `count` bytes of each kind into each; give how many frames the host has dropped."""
    chance = random.Random(seed)
    link, frames, now_ns = of_a_pod()
    reader = FakePico(lambda: 0)._load()["pod_frames"].FrameIn()
    into_the_host(random_bytes(count, chance), link, now_ns)
    link.receive(b"\0", now_ns)
    into_the_host(mutated_bytes(count, chance, frames), link, now_ns)
    into_the_pod(random_bytes(count, chance), reader.feed)
    into_the_pod(mutated_bytes(count, chance, to_a_pod()), reader.feed)
    return link.dropped_frames


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bytes", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    began = time.monotonic()
    dropped = feed_all(given.bytes, given.seed)
    took = time.monotonic() - began
    print(f"{given.bytes:,} random and as many mutated bytes into each reader: no crash and no press;", end=" ")
    print(f"the host dropped {dropped:,} frames; {took:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
