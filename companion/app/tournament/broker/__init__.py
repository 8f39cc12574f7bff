"""An event's broker: one within the desk's process, and what a broker of others needs: logins, access, certificates."""
