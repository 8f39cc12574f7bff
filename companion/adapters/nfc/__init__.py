"""Tags on cards (NFC, RFID at 13.56 MHz), read by a PN532 at a serial port or on the I2C bus."""
