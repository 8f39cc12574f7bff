"""The machine that the box runs on, as the kernel and the firmware tell of it. Reads; asks nobody, writes nothing."""
