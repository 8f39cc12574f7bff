"""The protocol of button pods: bytes, messages, the link with its clock. Knows no port and no thread."""
