"""The table in a browser: pages, a JSON API and a WebSocket, served by the box itself. `README.md` is the API.

`messages` are what goes over the wire, `server` and `api` what is done with it, `guard` who may, `panel_source` the
buttons of browsers and phones. Knows no game and no other adapter.
"""
