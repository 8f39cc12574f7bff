"""WebKit: Debian's MiniBrowser under Xvfb, by WebDriver (W3C) over HTTP."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.engines.engine import PATIENCE_S, Engine, EngineError

DRIVER = "/usr/bin/WebKitWebDriver"
BROWSERS = "usr/lib/*/webkit2gtk-4.1/MiniBrowser"
CHROME_PX = 60
"""How much higher a window is than its page, at most: MiniBrowser's own bar."""


class Display:
    """An X server without a screen, on a number that is free."""

    def __init__(self) -> None:
        reading, writing = os.pipe()
        self._process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1400x1200x24", "-nolisten", "tcp"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(writing,),
        )  # fmt: skip
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        if not number:
            raise EngineError("Xvfb did not start")
        self.name = f":{number}"

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(PATIENCE_S)


class WebKit(Engine):
    """MiniBrowser with storage of its own, in `folder`."""

    name = "WebKit"

    def __init__(self, folder: Path) -> None:
        (browser,) = map(str, Path("/").glob(BROWSERS))
        self._display = Display()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        folder.mkdir(parents=True)
        own = {
            "HOME": str(folder), "XDG_DATA_HOME": str(folder / "data"), "XDG_CACHE_HOME": str(folder / "cache"),
            "DISPLAY": self._display.name, "GDK_BACKEND": "x11", "NO_AT_BRIDGE": "1",
            # A container has no user namespaces for its sandbox; nothing but this box's own pages is opened.
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1", "LIBGL_ALWAYS_SOFTWARE": "1",
        }  # fmt: skip
        with (folder / "said").open("wb") as said:
            self._process = subprocess.Popen(
                [DRIVER, f"--port={port}"], stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                env={**os.environ, **own}, start_new_session=True,
            )  # fmt: skip
        self._base = f"http://127.0.0.1:{port}"
        self._session = ""
        try:
            self._begin(browser)
        except BaseException:
            self.close()
            raise

    def _begin(self, browser: str) -> None:
        ends = time.monotonic() + PATIENCE_S
        while True:
            try:
                self._call("GET", "/status")
                break
            except OSError:
                if time.monotonic() > ends:
                    raise
                time.sleep(0.02)
        options = {"binary": browser, "args": ["--automation"]}
        asked = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        told = self._call("POST", "/session", asked)
        self._session = f"/session/{told['sessionId']}"
        about = told["capabilities"]
        self.version = f"{about['browserName']} {about['browserVersion']}"

    def size(self, width: int, height: int) -> None:
        self._do("/window/rect", {"width": width, "height": height + CHROME_PX})
        self.wait("innerWidth > 0")
        bar = height + CHROME_PX - self.ask("innerHeight")
        self._do("/window/rect", {"width": width, "height": height + bar})

    def open(self, address: str) -> None:
        self._do("/url", {"url": address})

    def reload(self) -> None:
        self._do("/refresh", {})

    def ask(self, expression: str) -> Any:
        script = (
            f"const done = arguments[0]; (async () => JSON.stringify(await ({expression})) ?? null)()"
            ".then((value) => done([value, null]), (error) => done([null, String(error)]));"
        )
        value, error = self._do("/execute/async", {"script": script, "args": []})
        if error:
            raise EngineError(error)
        return json.loads(value or "null")

    def tap_at(self, x: float, y: float) -> None:
        moves = [
            {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0, "origin": "viewport"},
            {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0},
        ]  # fmt: skip
        finger = {"type": "pointer", "id": "finger", "parameters": {"pointerType": "mouse"}, "actions": moves}
        self._do("/actions", {"actions": [finger]})

    def close(self) -> None:
        if self._session:
            with suppress(OSError, EngineError):  # it has ended already
                self._call("DELETE", self._session)
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)  # its own children, by the group that was made for them
        self._process.wait(PATIENCE_S)
        self._display.close()

    def _do(self, path: str, body: dict[str, Any]) -> Any:
        return self._call("POST", self._session + path, body)

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(
            self._base + path, data=data, method=method, headers={"content-type": "application/json"}
        )
        try:
            with urllib.request.urlopen(asked, timeout=PATIENCE_S) as answer:
                return json.loads(answer.read())["value"]
        except urllib.error.HTTPError as error:
            told = json.loads(error.read())["value"]
            raise EngineError(f"{path}: {told['error']}: {told['message']}") from None
