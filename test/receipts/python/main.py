"""Reads a receipt from each line, in base64, and prints whether a program accepts it, that of the document or ours, and for which device."""

import base64
import importlib
import sys

program = importlib.import_module(sys.argv[1])

for line in sys.stdin:
    try:
        claims = program.claims_of(base64.b64decode(line).decode())
        device = claims.get("device")
        named = f" {device}" if isinstance(device, str) else ""
        print(f"valid{named}" if claims["entitlement"]["id"] == "ent_1" else "invalid")
    except Exception:
        print("invalid")
