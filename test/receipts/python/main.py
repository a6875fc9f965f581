"""Reads a `typ`, the id of an entitlement and a receipt in base64 from each line, and prints whether a program, that of the
document or ours, accepts it as one of that entitlement, and for which device."""

import base64
import importlib
import sys

program = importlib.import_module(sys.argv[1])

for line in sys.stdin:
    typ, id, receipt = line.rstrip("\n").split(" ")
    try:
        claims = program.claims_of(base64.b64decode(receipt).decode(), typ)
        device = claims.get("device")
        named = f" {device}" if isinstance(device, str) else ""
        print(f"valid{named}" if claims["entitlement"]["id"] == id else "invalid")
    except Exception:
        print("invalid")
