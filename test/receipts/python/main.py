"""Reads a receipt from each line, in base64, and prints whether a program accepts it: that of the document, or ours."""

import base64
import importlib
import sys

program = importlib.import_module(sys.argv[1])

for line in sys.stdin:
    try:
        entitlement = program.entitlement_of(base64.b64decode(line).decode())
        print("valid" if entitlement["id"] == "ent_1" else "invalid")
    except Exception:
        print("invalid")
