"""`companion signals`: lamps and motors tried one by one, examined by the doctor, and switched off."""
