"""The card to flash, booted: as it is, in an emulated arm64 machine, with the simulated header of tests/hil."""
