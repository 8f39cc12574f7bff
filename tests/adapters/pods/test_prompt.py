"""Waiting for MicroPython's prompt, at real pseudo-terminals."""

from __future__ import annotations

import os
import re
import threading
import tty
from pathlib import Path

import pytest

from companion.adapters.pods.ports import open_port
from companion.adapters.pods.prompt import wait_for_prompt
from companion.core.errors import Unavailable


@pytest.fixture
def line():
    """Both ends of a serial line: the pod's, and the path of the host's."""
    master, slave = os.openpty()
    tty.setraw(slave)
    yield master, Path(os.ttyname(slave))
    os.close(slave)
    os.close(master)


PROMPT = b">>> "
ANSWER = b"\r\n%d\r\n" + PROMPT
QUESTION = re.compile(rb"\r\x03\x02print\((\d+) \* (\d+)\)\r\Z")


def chip(master, answers):
    """A chip that hears each question and gives the next of `answers`; `%d` in it: what was asked for."""

    def run():
        for answer in answers:
            heard = b""
            while (asked := QUESTION.search(heard)) is None:
                heard += os.read(master, 1)
            os.write(master, answer.replace(b"%d", b"%d" % (int(asked[1]) * int(asked[2]))))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def ended(pod):
    pod.join(10)
    assert not pod.is_alive(), "the pod was not asked"


def test_a_prompt_that_comes_at_once_is_enough(line):
    master, path = line
    pod = chip(master, [b"\r\nMicroPython v1\r\n>>> \r\n" + ANSWER])
    wait_for_prompt(path)
    ended(pod)


def test_a_pod_that_lost_the_first_question_while_it_restarted_is_asked_again(line):
    master, path = line
    pod = chip(master, [b"", b"\x00half a frame", ANSWER])
    wait_for_prompt(path, ask_again_s=0.02)
    ended(pod)


def test_a_prompt_that_answers_what_came_before_the_question_is_not_enough(line):
    """Behind it may stand what restarts the pod into its program: a frame on its way when the pod restarted."""
    master, path = line
    pod = chip(master, [PROMPT, b"MPY: soft reboot\r\n", b"print(7 * 8)\r\n56\r\n" + PROMPT, ANSWER])
    wait_for_prompt(path, ask_again_s=0.02)
    ended(pod)


def test_a_port_that_is_away_while_the_pod_restarts_is_waited_for(line, tmp_path):
    master, path = line
    name = tmp_path / "pod"
    pod = chip(master, [ANSWER])
    naps = []

    def sleep(seconds):
        naps.append(seconds)
        if len(naps) == 3:
            name.symlink_to(path)

    wait_for_prompt(name, sleep=sleep)
    ended(pod)
    assert len(naps) == 3


def test_a_port_that_goes_away_while_it_is_asked_is_opened_again(line):
    master, path = line
    pod = chip(master, [ANSWER])
    opened = []

    def first_one_breaks(port):
        opened.append(open_port(port))
        if len(opened) == 1:
            assert opened[0].fd is not None
            os.close(opened[0].fd)
            opened[0].fd = os.open(os.devnull, os.O_RDONLY)  # takes no byte
        return opened[-1]

    wait_for_prompt(path, open_port=first_one_breaks)
    ended(pod)
    assert len(opened) == 2


def test_who_never_shows_a_prompt_is_named_with_what_to_do(line, tmp_path):
    _, path = line
    with pytest.raises(Unavailable, match=rf"{path} does not show MicroPython's prompt: unplug the pod"):
        wait_for_prompt(path, 0.01)
    with pytest.raises(Unavailable, match="nothing is not there: plug it in"):
        wait_for_prompt(tmp_path / "nothing", 0.01, sleep=lambda _: None)
