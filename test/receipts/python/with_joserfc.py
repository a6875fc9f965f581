"""Does what the program of the document does, with joserfc, which compares neither `typ`, `exp` nor `aud`."""

import json
import time

from joserfc import jwt
from joserfc.jwk import KeySet

with open("keys.json") as file:
    KEYS = KeySet.import_key_set(json.load(file))


def claims_of(receipt):
    token = jwt.decode(receipt.strip(), KEYS, algorithms=["ES256"])
    claims = token.claims
    if token.header.get("typ") != "license-receipt+jwt" or claims.get("aud") != "prod_1":
        raise ValueError("not a receipt of this product")
    if not time.time() < claims["exp"]:
        raise ValueError("expired")
    return claims
