"""Measuring an allowance: trials, the proposal with its interval, and what later races say of it. Pure."""
