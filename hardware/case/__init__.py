"""What is printed: the case for the middle of the table, the strip's sections and the pod's box, as solids in mm.

x to the right, y away from the first seat, z upwards from the table. The drawings' y grows the other way.
"""
