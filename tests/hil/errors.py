"""The one error of the hardware-in-the-loop machinery: it always says what is missing and how to mend it."""


class HilError(RuntimeError):
    """The guest could not be built, started or talked to; this is never a verdict on the program under test."""
