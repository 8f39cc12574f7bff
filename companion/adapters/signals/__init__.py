"""Lamps and motors of the seats on an I2C expander: a PCA9685 or an MCP23017."""
