"""Firefox by WebDriver BiDi (W3C): commands and answers as JSON over a WebSocket, as the browser itself speaks it."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import threading
from typing import TYPE_CHECKING, Any

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Ping, Request, TextMessage

from tests.engines.engine import PATIENCE_S, Engine, EngineError

if TYPE_CHECKING:
    from pathlib import Path

FIREFOX = os.environ.get("FIREFOX", "/usr/bin/firefox-esr")
PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "toolkit.telemetry.enabled": False,
    "dom.w3c_touch_events.enabled": 1,
}


class Socket:
    """A WebSocket to this machine, one message at a time."""

    def __init__(self, port: int, path: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE_S)
        self._ws = WSConnection(ConnectionType.CLIENT)
        self._socket.sendall(self._ws.send(Request(host=f"127.0.0.1:{port}", target=path)))
        self._events: list[Any] = []
        first = self._event()
        if not isinstance(first, AcceptConnection):
            raise EngineError(f"no WebSocket at {path}: {first}")

    def say(self, message: dict[str, Any]) -> None:
        self._socket.sendall(self._ws.send(TextMessage(json.dumps(message))))

    def hear(self) -> dict[str, Any]:
        text = ""
        while True:
            event = self._event()
            if isinstance(event, Ping):
                self._socket.sendall(self._ws.send(event.response()))
            elif isinstance(event, CloseConnection):
                raise EngineError(f"the browser has closed the connection: {event.reason}")
            elif isinstance(event, TextMessage):
                text += event.data
                if event.message_finished:
                    heard: dict[str, Any] = json.loads(text)
                    return heard

    def close(self) -> None:
        self._socket.close()

    def _event(self) -> Any:
        while not self._events:
            data = self._socket.recv(65536)
            if not data:
                raise EngineError("the browser has gone")
            self._ws.receive_data(data)
            self._events += self._ws.events()
        return self._events.pop(0)


class Firefox(Engine):
    """A headless Firefox with a profile of its own, in `folder`."""

    name = "Firefox"

    def __init__(self, folder: Path) -> None:
        profile = folder / "profile"
        profile.mkdir(parents=True)
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
        self._process = subprocess.Popen(
            [FIREFOX, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "HOME": str(folder), "MOZ_CRASHREPORTER_DISABLE": "1"}, start_new_session=True,
        )  # fmt: skip
        self._said: list[str] = []
        self._port = 0
        self._is_up = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._number = 0
        self._socket: Socket | None = None
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        if not self._is_up.wait(PATIENCE_S) or not self._port:
            raise EngineError(f"Firefox did not start: {''.join(self._said)}")
        self._socket = Socket(self._port, "/session")
        told = self._do("session.new", capabilities={})["capabilities"]
        self.version = f"{told['browserName']} {told['browserVersion']}"
        self._page = self._do("browsingContext.getTree")["contexts"][0]["context"]

    def size(self, width: int, height: int) -> None:
        self._do("browsingContext.setViewport", context=self._page, viewport={"width": width, "height": height})

    def open(self, address: str) -> None:
        self._do("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def reload(self) -> None:
        self._do("browsingContext.reload", context=self._page, wait="complete")

    def ask(self, expression: str) -> Any:
        told = self._do(
            "script.evaluate", expression=f"JSON.stringify({expression}) ?? null", target={"context": self._page},
            awaitPromise=True,
        )  # fmt: skip
        if told["type"] == "exception":
            raise EngineError(told["exceptionDetails"]["text"])
        return json.loads(told["result"].get("value", "null"))

    def tap_at(self, x: float, y: float) -> None:
        down = {"type": "pointerDown", "button": 0}
        moves = [{"type": "pointerMove", "x": round(x), "y": round(y)}, down, {"type": "pointerUp", "button": 0}]
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": moves}
        self._do("input.performActions", context=self._page, actions=[finger])

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)  # its own children, by the group that was made for them
        self._process.wait(PATIENCE_S)
        self._reader.join(PATIENCE_S)

    def _do(self, method: str, **parameters: Any) -> Any:
        assert self._socket is not None
        self._number += 1
        self._socket.say({"id": self._number, "method": method, "params": parameters})
        while True:
            heard = self._socket.hear()
            if heard.get("id") == self._number:
                if heard["type"] == "error":
                    raise EngineError(f"{method}: {heard['error']}: {heard['message']}")
                return heard["result"]

    def _read(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as out:
            for line in out:
                self._said.append(line)
                if found := re.search(r"WebDriver BiDi listening on ws://127\.0\.0\.1:(\d+)", line):
                    self._port = int(found[1])
                    self._is_up.set()
        self._is_up.set()
