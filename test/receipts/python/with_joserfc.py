"""Does what the program of the document does, with joserfc, which compares neither `typ`, `exp` nor `aud`."""

import json
import time
import unicodedata

from joserfc import jwt
from joserfc.jwk import KeySet

with open("keys.json") as file:
    KEYS = KeySet.import_key_set(json.load(file))


def claims_of(receipt, typ):
    receipt = "".join(each for each in receipt if not (each.isspace() or unicodedata.category(each) == "Cf"))
    token = jwt.decode(receipt, KEYS, algorithms=["ES256"])
    claims = token.claims
    if token.header.get("typ") != typ or claims.get("aud") != "prod_1":
        raise ValueError("not a receipt of this product")
    if not time.time() < claims["exp"]:
        raise ValueError("expired")
    return claims
