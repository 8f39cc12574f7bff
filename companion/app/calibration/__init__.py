"""Allowances that are measured: what a calibration leaves, and a box that was begun for one."""
