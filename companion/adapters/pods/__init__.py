"""Button pods on USB serial ports: `ports` finds and opens them, `port_thread` talks, `source` is a ButtonSource."""
