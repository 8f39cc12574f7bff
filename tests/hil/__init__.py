"""Hardware in the loop: real kernel GPIO edges in a small virtual machine. See README.md beside this file."""
